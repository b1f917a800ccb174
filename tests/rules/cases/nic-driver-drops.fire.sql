-- A paravirtual adapter whose driver finds no memory.
UPDATE nic SET driver = 'virtio_net', driver_drops = 40, alloc_fails = 40 WHERE step % 10 = 0;
