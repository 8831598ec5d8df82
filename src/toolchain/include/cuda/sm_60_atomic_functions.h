// Everything of it that the lab's clang knows is included before every file (bankshot_device.h).
