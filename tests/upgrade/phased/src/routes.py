ROUTES = ["/"]
