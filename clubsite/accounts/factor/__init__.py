"""The second factor of those who want one: a code of an app on their phone, or one of the codes on their paper."""
