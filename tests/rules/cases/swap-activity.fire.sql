-- Pages come and go.
UPDATE memory SET pswpin = 200, pswpout = 500, available_bytes = 90000000;
