package apikey

const RevokedRetention = revokedRetention
