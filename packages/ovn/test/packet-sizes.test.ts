/** Packets of instances with sizes of their own. */
import { compile, type NetworkRows } from '@steading/network'
import { expect, test } from 'vitest'
import { bastionWorld } from '../../network/test/support/world.ts'
import { rowsOfVpc } from '../src/index.ts'
import { settings } from './support/settings.ts'

const ID = 'vpc shop'

function sizesOf(change: (rows: NetworkRows) => void) {
  const rows = bastionWorld()
  change(rows)
  const desired = rowsOfVpc(compile(rows).vpcs.get(ID)!, settings)
  const ofTable = (name: string) => desired.filter(({ table }) => table === name)
  return {
    // Of the options that a port has.
    leased: ofTable('Logical_Switch_Port').flatMap(({ columns }) => {
      const found = desired.find(({ key }) => key === columns.dhcpv4_options)
      return found ? [(found.columns.options as Record<string, string>).mtu] : []
    }),
    advertised: ofTable('Logical_Router_Port').map(
      ({ columns }) => (columns.ipv6_ra_configs as Record<string, string> | undefined)?.mtu,
    ),
    refused: ofTable('Logical_Router_Port').map(
      ({ columns }) => (columns.options as Record<string, string> | undefined)?.gateway_mtu,
    ),
  }
}

test('packets of the usual size need no check', () => {
  expect(sizesOf(() => {})).toEqual({
    leased: ['1500', '1500'],
    advertised: ['1500', '1500', undefined],
    refused: [undefined, undefined, undefined],
  })
})

test('large packets are refused on the way to interfaces with smaller ones, and out', () => {
  const sizes = sizesOf(({ instances }) => {
    instances[0]!.mtu = 8500
  })
  expect(sizes).toEqual({
    leased: ['8500', '1500'],
    advertised: ['8500', '1500', undefined],
    refused: [undefined, '1500', '1500'],
  })
})

test('a subnet with both sizes advertises none', () => {
  const sizes = sizesOf(({ instances, interfaces }) => {
    instances[0]!.mtu = 8500
    const { subnet_id } = interfaces[0]!
    Object.assign(interfaces[1]!, { subnet_id, ipv4: '172.30.0.6', ipv6: 'fd00:1:0:1::6' })
  })
  expect(sizes).toEqual({
    leased: ['8500', '1500'],
    advertised: [undefined, undefined, undefined],
    refused: ['1500', undefined, '1500'],
  })
})
