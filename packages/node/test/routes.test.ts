import { consolePaths } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { destination } from '../src/routes.ts'

const browser = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'

test.each([
  ...consolePaths.map((path) => path.replaceAll(/\$\w+/g, 'some-name')),
  '/projects/a/instances/b/serial-console',
  '/images/debian/edit',
  '/system/silos',
  '/lookup/i/1',
  '/utilization',
  '/access',
  '/login',
  '/login/main/saml/corp',
  '/device/verify',
  '/device/success',
])('%s is a page of the console for every header `accept`', (path) => {
  for (const accept of [browser, '*/*', 'application/json', null]) {
    expect(destination('GET', path, accept)).toBe('page')
    expect(destination('HEAD', path, accept)).toBe('page')
  }
  expect(destination('POST', path, browser)).toBe('api')
})

test.each([
  '/v1/ping',
  '/v1/no-such-thing',
  '/v1',
  '/x/v1/events',
  '/experimental/v1/probes',
  '/scim/v2/Users',
  '/device/auth',
  '/device/token',
  '/login/main/saml/corp/redirect',
])('%s belongs to the control plane, even for a browser', (path) => {
  expect(destination('GET', path, browser)).toBe('api')
  expect(destination('POST', path, null)).toBe('api')
})

test('unknown paths are pages for browsers and errors for programs', () => {
  for (const path of ['/nothing', '/v2/ping', '/xyz', '/projectsx', '/device', '/loginx']) {
    expect(destination('GET', path, browser)).toBe('unknown-page')
    expect(destination('GET', path, '*/*')).toBe('api')
    expect(destination('DELETE', path, browser)).toBe('api')
  }
})

test('assets are files', () => {
  expect(destination('GET', '/assets/index-1.js', '*/*')).toBe('asset')
  expect(destination('HEAD', '/assets/', browser)).toBe('asset')
})
