-- An allowance of the provider is exceeded.
UPDATE nic SET driver = 'ena', provider_limit_drops = 1024 WHERE step % 10 = 0;
