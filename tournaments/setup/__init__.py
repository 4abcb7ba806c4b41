"""The guided start: from an empty install, or for a further club, to the first printed cards; and the demo's coming and
going. Each page does one thing by the verbs that all other pages use, and can be passed over and come back to."""
