/** Texts that leave the server: errors on the page of operators, and the log in support bundles. */
import { expect, test } from 'vitest'
import { redacted } from '../src/resources/maintenance/support-bundles/redact.ts'

const HIDDEN = 'hidden-7f3a'

test.each([
  `connect to postgres://steading:${HIDDEN}@db.example:5432/cloud failed`,
  `connect to postgres://steading:p@ss-${HIDDEN}@db.example/cloud failed`,
  `smtps://mail:${HIDDEN}@mail.example refused`,
  `authorization: Bearer ${HIDDEN}`,
  `{"Authorization":"Basic ${HIDDEN}"}`,
  `POST https://idp.example/token: client_secret=${HIDDEN}&code=${HIDDEN}`,
  `GET https://hooks.example/in?access_token=${HIDDEN} answered 500`,
  `db_password: ${HIDDEN}`,
  `{"clientSecret": "${HIDDEN}"}`,
  `{"password":"a, b ${HIDDEN}"}`,
  `cookie session=${HIDDEN}; path=/`,
  `password='${HIDDEN}'`,
  `oxide-token-${HIDDEN}`,
  `-----BEGIN PRIVATE KEY-----\n${HIDDEN}\n-----END PRIVATE KEY-----`,
])('%s hides its secret', (text) => {
  expect(redacted(text)).not.toContain(HIDDEN)
})

test('the rest of a text stays', () => {
  const text =
    'connect to db.example:5432 failed: 2 of 3 tokens are valid, see https://a.example/b@c'
  expect(redacted(text)).toBe(text)
})
