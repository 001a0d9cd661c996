"""What commands are made of: the application, what they print, ask and find. No command stands here."""
