"""Services: libraries behind the SDK that features share, built-in and foreign ones alike.

A service knows no feature. What it keeps it keeps in the store, where no agent writes; what lies in a session's folder
asks or shows.
"""
