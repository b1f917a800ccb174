-- What XDP dropped is not the driver's.
UPDATE nic SET driver = 'virtio_net', xdp_drops = 40 WHERE step % 10 = 0;
