/**
 * Certificate and signing key of the demo's identity provider, both DER in base64. They are only
 * used in pages of the demo, so the key is no secret.
 */

export const CERTIFICATE =
  'MIIBojCCAUmgAwIBAgIUFm6YMNTFqyyv1vx1PRKyzi6W6tcwCgYIKoZIzj0EAwIwJzElMCMGA1UE' +
  'Awwcc2lnbi1pbi5jaXR5LWFyY2hpdmUuZXhhbXBsZTAeFw0yNjExMjIxNjI3NDdaFw00NjExMTcx' +
  'NjI3NDdaMCcxJTAjBgNVBAMMHHNpZ24taW4uY2l0eS1hcmNoaXZlLmV4YW1wbGUwWTATBgcqhkjO' +
  'PQIBBggqhkjOPQMBBwNCAASreYYx9VDVmu3y1GZ08h+smzmaMZTWEEspq1NTM6BUARWDpdUSWMqT' +
  'c5+ezqFQSYqYn6A6uLckzM6XJ6crNec3o1MwUTAdBgNVHQ4EFgQUa6GKApLAA0wcmFgs0aBnoJkN' +
  '9JswHwYDVR0jBBgwFoAUa6GKApLAA0wcmFgs0aBnoJkN9JswDwYDVR0TAQH/BAUwAwEB/zAKBggq' +
  'hkjOPQQDAgNHADBEAiBaEznvlH5wn6kEfDT9IAYsiJ6xswchLcjVHw3TEhN66wIgOS4fm2OuySm8' +
  '1yF2IyTHhTX1+yCSN7Jn5+PNxUoUBD4='

export const PRIVATE_KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLAqVr1gY1tZ1bq6LWCsjNYtKRQZp' +
  'dQJoMCfPKo2OeoShRANCAASreYYx9VDVmu3y1GZ08h+smzmaMZTWEEspq1NTM6BUARWDpdUSWMqT' +
  'c5+ezqFQSYqYn6A6uLckzM6XJ6crNec3'
