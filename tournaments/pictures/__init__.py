"""Pictures of players and of events: which figures become a picture. How one is drawn is in `clubsite.charts`."""
