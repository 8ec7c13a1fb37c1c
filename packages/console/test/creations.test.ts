import { permissions } from '@steading/api/permissions'
import { consolePaths, type ConsolePath } from '@steading/api/rules'
import { expect, it } from 'vitest'
import { creations } from '../src/shell/creations.ts'

/** Forms that the palette offers only where their list does, with the reason. */
const elsewhere: Partial<Record<ConsolePath, string>> = {
  '/users-new': 'only silos with passwords have it; Invite is found everywhere',
  '/groups-new': 'only silos with passwords have it',
  '/system/silos/$silo/idps-new': 'needs a silo',
  '/system/image-catalog-new': 'adds to a list that is edited as a whole',
  '/system/update/trust-roots-new': 'needs a repository at hand',
  '/system/networking/address-lots-new': 'a part of external connectivity',
  '/system/networking/loopback-addresses-new': 'a part of external connectivity',
  '/system/networking/bgp-new': 'a part of external connectivity',
  '/system/networking/announce-sets-new': 'a part of external connectivity',
  '/system/networking/bfd-new': 'a part of external connectivity',
  '/system/networking/port-settings-new': 'a part of external connectivity',
  '/projects/$project/snapshots/$snapshot/images-new': 'needs a snapshot',
  '/projects/$project/vpcs/$vpc/routers/$router/routes-new': 'needs a router',
}

const offered = Object.values(creations).flat()

it('finds every form for something new in the palette, or says why not', () => {
  const forms = consolePaths.filter((path) => path.endsWith('-new'))
  const known = [...offered.map(({ path }) => path), ...Object.keys(elsewhere)]
  expect(known.toSorted()).toEqual(forms.toSorted())
})

it('names an operation of the contract for each form', () => {
  const operations = offered.flatMap(({ operation }) => operation ?? [])
  expect(operations.filter((operation) => !(operation in permissions))).toEqual([])
})
