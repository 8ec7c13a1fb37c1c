/** What passes between the VPCs of a multicast group, by OVN's own trace. */
import { compile, emptyRows } from '@steading/network'
import { expect, onTestFinished, test } from 'vitest'
import { addInstance, addSubnet, addVpc } from '../../network/test/support/world.ts'
import { openNorthbound, rowsOfVpc } from '../src/index.ts'
import { groupsPortName } from '../src/vpc/names.ts'
import { openWorld, ovnMissing } from './support/open-world.ts'
import { settings } from './support/settings.ts'

const GROUP = '239.1.0.1'
const [ID, PREFIX] = ['vpc shop', 'fd00:1::'] as const

test.skipIf(ovnMissing() !== undefined)(
  'packets to the group pass between VPCs, and nothing else',
  async () => {
    const world = await openWorld()
    onTestFinished(world.end)
    const rows = emptyRows()
    addVpc(rows, 'shop', PREFIX)
    addSubnet(rows, 'shop', 'public', ['172.30.0.0/24', `${PREFIX}/64`])
    addInstance(rows, 'shop', 'a', [{ subnet: 'public', ipv4: '172.30.0.5' }])
    const northbound = await openNorthbound({
      remote: world.northbound,
      owner: 'test',
      log: (problem) => console.error(problem),
    })
    onTestFinished(northbound.close)
    const members = [{ interfaceId: 'nic a 0', sources: [] }]
    const group = { id: 'news', address: GROUP, isShared: true, members }
    await northbound.apply(ID, 1, rowsOfVpc(compile(rows).vpcs.get(ID)!, settings, [group]))
    await northbound.inEffect()
    const name = groupsPortName(ID)
    /** Where a packet gets to that enters the switch of the groups. */
    const reached = async (at: string, packet: string): Promise<string[]> => {
      const condition = `inport == "${name}-${at}" && eth.src == 02:00:00:00:00:01 && ${packet}`
      const database = `--db=unix:${world.southbound}`
      const text = await world.run('ovn-trace', database, '--minimal', name, condition)
      return [...text.matchAll(/output\("([^"]+)"/g)].map(([, port]) => port!)
    }
    const mac = rowsOfVpc(compile(rows).vpcs.get(ID)!, settings, [group]).find(
      ({ key }) => key === 'groups',
    )!.columns['mac']
    const toGroup = (address: string) =>
      `eth.dst == 01:00:5e:01:00:01 && ip4.src == 172.30.4.9 && ip4.dst == ${address} && ip.ttl == 8 && udp`
    expect(await reached('router', toGroup(GROUP))).toEqual([`${name}-network`])
    expect(await reached('router', toGroup('239.1.0.2'))).toEqual([])
    expect(await reached('network', toGroup('239.1.0.2'))).toEqual([])
    for (const at of ['router', 'network'])
      for (const destination of ['172.30.0.5', '198.51.100.1', '169.254.65.1']) {
        const packet = `eth.dst == ${String(mac)} && ip4.src == 172.30.4.9 && ip4.dst == ${destination} && ip.ttl == 8`
        expect(await reached(at, packet)).toEqual([])
      }
    const asked = `eth.dst == ff:ff:ff:ff:ff:ff && arp.op == 1 && arp.sha == 02:00:00:00:00:01 && arp.spa == 169.254.65.2 && arp.tpa == 169.254.65.1 && arp.tha == 00:00:00:00:00:00`
    expect(await reached('network', asked)).toEqual([])
  },
)
