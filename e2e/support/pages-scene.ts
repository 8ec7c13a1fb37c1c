/** The host in which `pages.spec.ts` looks at pages. */
import { BlockList } from 'node:net'
import type { ApiClient } from '@steading/api/client'
import { alertRuleMessages } from '@steading/api/rules'
import { makeCertificate } from '../../packages/api/test/support/certificates.ts'
import {
  base64,
  ENTITY_ID,
  metadataOf,
} from '../../packages/control-plane/test/support/saml/provider.ts'
import { waitingDevice } from './devices.ts'
import { addPool, addSubnetPool } from './networks.ts'
import { addFiringRule } from './alert-rules.ts'
import { measured } from './measured.ts'
import { ok } from './seed.ts'
import { type Scene } from './test.ts'
import { addReleases } from './updates.ts'
import { addPeer, makeUplinks } from './uplinks.ts'

/** Pools of all sizes: one address in use, two to the power of 80 addresses, and none. */
async function makePools(api: ApiClient): Promise<void> {
  const described = { description: 'Addresses that lead to the mills of the lower valley' }
  for (const [name, ipVersion] of Object.entries({
    narrow: 'v4',
    wide: 'v6',
    bare: 'v4',
  } as const)) {
    await ok(api.systemIpPoolCreate({ body: { name, ...described, ipVersion } }))
  }
  const ranges = {
    narrow: { first: '198.51.100.7', last: '198.51.100.7' },
    wide: { first: '2001:db8:77::', last: '2001:db8:77:ffff:ffff:ffff:ffff:ffff' },
  }
  for (const [pool, body] of Object.entries(ranges)) {
    await ok(api.systemIpPoolRangeAdd({ path: { pool }, body }))
    const link = { silo: 'main', isDefault: pool === 'wide' }
    await ok(api.systemIpPoolSiloLink({ path: { pool }, body: link }))
  }
  const poolSelector = { type: 'explicit', pool: 'narrow' } as const
  await ok(
    api.floatingIpCreate({
      query: { project: 'mill' },
      body: { name: 'last', description: '', addressAllocator: { type: 'auto', poolSelector } },
    }),
  )
}

const loopback = new BlockList()
loopback.addAddress('127.0.0.1')

/** A project with content on every page, and an empty one. */
export const pagesScene: Scene = {
  config: { multicast: true, webhookNetworks: loopback },
  async fill({ host, api, project, seed }) {
    await seed.project('empty')
    await seed.disk(project.name, 'sacks', { description: 'Full of flour. '.repeat(20) })
    await seed.group(project.name, 'apart')
    await ok(api.hostCreate({ body: { address: 'qemu+ssh://root@sim-nostorage-7/system' } }))
    await seed.affinityGroup(project.name, 'close', 'fail')
    await seed.instance(project.name, 'stones', {
      antiAffinityGroups: ['apart'],
      networkInterfaces: { type: 'default_dual_stack' },
    })
    await seed.instance(project.name, 'wheel', {
      start: true,
      networkInterfaces: { type: 'default_ipv4' },
      externalIps: [{ type: 'ephemeral' }],
      bootDisk: {
        type: 'create',
        name: `root-of-the-wheel-${'x'.repeat(40)}`,
        description: '',
        size: 10 * 1024 ** 3,
        diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
      },
    })
    const query = { project: project.name }
    await seed.until(project.name, 'stones', 'stopped')
    const path = { affinityGroup: 'close', instance: 'stones' }
    await ok(api.affinityGroupMemberInstanceAdd({ path, query }))
    await measured(host, await ok(api.instanceView({ path: { instance: 'wheel' }, query })))
    await addSubnetPool(host, 'yards', ['203.0.113.0/24'], { isDefault: true })
    await seed.probe(project.name, 'echo', 'Answers from the first sled')
    const yard = await seed.externalSubnet(project.name, 'yard')
    await seed.externalSubnet(project.name, 'garden', 32)
    await ok(
      api.externalSubnetAttach({
        path: { externalSubnet: yard.id },
        body: { instance: 'stones' },
      }),
    )
    const poolType = 'multicast'
    await addPool(host, 'casts', { poolType, range: ['239.1.0.1', '239.1.0.99'] })
    await ok(
      api.instanceMulticastGroupJoin({
        path: { instance: 'wheel', multicastGroup: 'news' },
        query: { project: project.name },
        body: { sourceIps: ['192.0.2.1'] },
      }),
    )
    const inVpc = { project: project.name, vpc: 'default' }
    await ok(api.vpcRouterCreate({ query: inVpc, body: { name: 'detour', description: '' } }))
    const body = { name: 'laptop', description: '', publicKey: 'ssh-ed25519 AAAA me@here' }
    await ok(api.currentUserSshKeyCreate({ body }))
    for (const [name, days] of Object.entries({ autumn: 10, winter: 100 })) {
      const names = ['main.sys.cloud.example', 'console.cloud.example', '*.sys.cloud.example']
      const made = await makeCertificate({ names, days })
      const certificate = { name, description: '', service: 'external_api' } as const
      await ok(api.certificateCreate({ body: { ...certificate, cert: made.cert, key: made.key } }))
    }
    await ok(
      api.siloCreate({
        body: {
          name: 'guild',
          description: 'All other mills of the valley',
          identityMode: 'saml_jit',
          discoverable: true,
          mappedFleetRoles: { admin: ['admin'], viewer: ['viewer'] },
          quotas: { cpus: 16, memory: 64 * 1024 ** 3, storage: 1024 ** 4 },
          tlsCertificates: [],
        },
      }),
    )
    await makePools(api)
    await makeUplinks(api)
    await addReleases(api, host, '1.0.0', '1.1.0-rc.1')
    await addPeer(api, '198.51.100.1')
    const { items: racks } = await ok(api.rackList({}))
    const onSwitch = { switchSlot: 'switch0' } as const
    await ok(
      api.networkingLoopbackAddressCreate({
        body: {
          ...onSwitch,
          rackId: racks[0]!.id,
          addressLot: 'provider',
          address: '198.51.100.9',
          mask: 32,
          anycast: true,
        },
      }),
    )
    await ok(
      api.networkingBfdEnable({
        body: {
          ...onSwitch,
          remote: '198.51.100.1',
          detectionThreshold: 3,
          requiredRx: 300_000,
          mode: 'single_hop',
        },
      }),
    )
    await ok(
      api.supportBundleCreate({
        body: { userComment: 'The wheel has been slow since the flood. Restarting did not help.' },
      }),
    )
    await ok(
      api.webhookReceiverCreate({
        body: {
          name: 'pager',
          description: 'Wakes the miller',
          // Nothing listens there.
          endpoint: 'http://127.0.0.1:9/hook',
          secrets: ['sesame'],
          subscriptions: ['hardware.**', 'not.yet.**'],
        },
      }),
    )
    await host.server.controlPlane.engines.power.change('remove', 3)
    await ok(api.scimTokenCreate({ query: { silo: 'guild' } }))
    await ok(
      api.samlIdentityProviderCreate({
        query: { silo: 'guild' },
        body: {
          name: 'okta',
          description: 'Everybody of the guild',
          idpMetadataSource: { type: 'base64_encoded_xml', data: base64(metadataOf()) },
          idpEntityId: ENTITY_ID,
          spClientId: 'https://cloud.example/sp',
          acsUrl: `${host.url}/login/guild/saml/okta`,
          sloUrl: 'https://cloud.example/logout',
          technicalContactEmail: 'ops@guild.example',
          groupAttributeName: 'groups',
        },
      }),
    )
    const hand = await ok(
      api.localIdpUserCreate({
        query: { silo: 'main' },
        body: { externalId: 'mill-hand', password: { mode: 'login_disallowed' } },
      }),
    )
    await ok(api.groupCreate({ body: { displayName: 'Millers, bakers and carters' } }))
    const group = { displayName: 'Millers of the lower valley' }
    const { id: groupId } = await ok(api.groupCreate({ body: group }))
    const members = { add: [hand.id], remove: [] }
    await ok(api.groupMembersUpdate({ path: { groupId }, body: members }))
    const { userCode } = await waitingDevice(host)
    await ok(api.deviceAuthConfirm({ body: { userCode } }))
    await seed.until(project.name, 'wheel', 'running')
    await addFiringRule(api, host, project.name, 'wheel')
    await ok(
      api.notificationSubscriptionCreate({
        body: {
          scope: 'mine',
          topics: ['schedule', 'storage'],
          severity: 'warning',
          digest: 'daily',
          channel: { type: 'slack', url: 'http://127.0.0.1:9/hook' },
        },
      }),
    )
    for (const [name, query] of [
      ['front-end', { project: project.name }],
      ['small', {}],
    ] as const) {
      const instance = { ncpus: 1, memory: 2 ** 30, start: { $variable: 'start' } }
      const start = {
        name: 'start',
        label: 'Start',
        description: '',
        type: 'boolean' as const,
        required: true,
        default: false,
        choices: [],
        min: null,
        max: null,
      }
      const body = { name, description: 'Of the mill', instance, variables: [start] }
      await ok(api.instanceTemplateCreate({ query, body }))
    }
    await ok(
      api.scheduleCreate({
        query: { project: project.name },
        body: {
          name: 'nightly',
          description: 'Every night',
          action: 'snapshot',
          recurrence: { type: 'cron', expression: '0 2 * * *', timeZone: 'Europe/Berlin' },
          retention: { last: 0, daily: 7, weekly: 4, monthly: 0, yearly: 0 },
          targets: [{ kind: 'instance', instance: 'wheel' }],
        },
      }),
    )
    await ok(
      api.alertRuleCreate({
        query: { project: project.name },
        body: {
          name: 'hopeless',
          description: 'Its query takes too long',
          query: 'get virtual_machine:vcpu_usage',
          comparison: 'above',
          threshold: 4e9,
          duration: 60,
          severity: 'warning',
        },
      }),
    )
    await host.server.controlPlane.database.db
      .updateTable('alert_rule')
      .set({
        enabled: 0,
        state: 'disabled',
        problem: alertRuleMessages.tookTooLong,
        time_due: null,
      })
      .where('name', '=', 'hopeless')
      .execute()
  },
}
