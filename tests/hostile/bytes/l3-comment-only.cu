// my solution is at home
