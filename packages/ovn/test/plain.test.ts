/** Which connections of OVN are in the clear, from what its programs say. */
import { expect, test } from 'vitest'
import { parsePlain } from '../src/observe/plain.ts'

test('addresses of other machines by TCP are in the clear', () => {
  expect(
    parsePlain(`controller "tcp:10.0.0.1:6642,tcp:[fd00::2]:6642"
open punix:/var/run/ovn/ovnnb_db.sock,ptcp:6641:10.0.0.1,
open target : "ptcp:6641",
members Address: tcp:10.0.0.1:6643
open ptcp:6642:0.0.0.0,
open ptcp:6642:0.0.0.0,
members Address: tcp:host1:6644
`),
  ).toEqual({
    controller: ['tcp:10.0.0.1:6642', 'tcp:[fd00::2]:6642'],
    open: ['ptcp:6641:10.0.0.1', 'ptcp:6641', 'ptcp:6642:0.0.0.0'],
    members: ['tcp:10.0.0.1:6643', 'tcp:host1:6644'],
  })
})

test('those by TLS, by sockets and on the machine itself are not', () => {
  expect(
    parsePlain(`controller "ssl:10.0.0.1:6642,ssl:10.0.0.2:6642"
open db:OVN_Northbound,NB_Global,connections,punix:/var/run/ovn/ovnnb_db.sock,
open target : "pssl:6641",
members Address: ssl:10.0.0.1:6643
open ptcp:6642:127.0.0.1,ptcp:6642:[::1],
controller tcp:127.0.0.1:6642
`),
  ).toEqual({ controller: [], open: [], members: [] })
  expect(parsePlain('')).toEqual({ controller: [], open: [], members: [] })
})
