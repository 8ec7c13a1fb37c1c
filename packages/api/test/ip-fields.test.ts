import { cidrFieldProblem, cidrVersion, ipFieldProblem } from '@steading/api/rules'
import { expect, test } from 'vitest'

const form = 'Must contain an IP address and a width, separated by a /'

test.each([
  ['10.1.1.1/24', undefined],
  ['1.1.1.1/04', undefined],
  ['0.0.0.0/0', undefined],
  ['fd00::/128', undefined],
  ['', form],
  ['10.0.0.0', form],
  ['10.0.0.0/', form],
  ['10.0.0.0/ ', form],
  ['10.0.0/8', form],
  [' 10.0.0.0/8', form],
  ['10.0.0.0/8/8', form],
  ['fd00::1%eth0/64', form],
  ['10.0.0.0/-1', 'Width must be an integer'],
  ['10.0.0.0/a', 'Width must be an integer'],
  ['10.0.0.0/8 ', 'Width must be an integer'],
  ['10.0.0.0/33', 'Max width for IPv4 is 32'],
  ['fd00::/129', 'Max width for IPv6 is 128'],
])('network %j: %s', (text, problem) => expect(cidrFieldProblem(text)).toBe(problem))

test('version of a network', () => {
  expect(cidrVersion('10.1.1.1/24')).toBe('v4')
  expect(cidrVersion('fd00::/64')).toBe('v6')
})

test('addresses', () => {
  expect(ipFieldProblem('::1.2.3.4')).toBeUndefined()
  expect(ipFieldProblem('01.2.3.4')).toBe('Not a valid IP address')
})
