/** The networks of instances on several hosts: OVN carries them between the hosts, also during moves. */
import { execFileSync, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { expect, onTestFinished, test } from 'vitest'
import { affinityBody, until } from '../../../control-plane/test/support/things.ts'
import { type Center, hostsMissing } from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { guestsMissing, smallImage } from '../../../libvirt/test/support/small-image.ts'
import { makeSshKey } from '../../../libvirt/test/support/ssh.ts'
import { ovnMissing } from '../../../ovn/test/support/open-world.ts'
import { openCloud } from '../support/cloud-of-hosts.ts'
import { bootDisk } from '../support/ordinary-server.ts'
import { temporaryDirectory } from '../support/process.ts'

const GiB = 1024 ** 3

const missing = hostsMissing() ?? ovnMissing() ?? guestsMissing()
if (missing !== undefined) console.warn(`Networks between hosts are left out: ${missing}.`)

/** Serves a file on the machine of the server, at a port that is free there. */
function serve({ enter }: Center, file: string, port: number): void {
  const program = `require('node:http').createServer((_, answer) => {
    answer.writeHead(200, { 'content-length': ${statSync(file).size} })
    require('node:fs').createReadStream('${file}').pipe(answer)
  }).listen(${port}, '127.0.0.1')`
  const [command, ...args] = [...enter, process.execPath, '-e', program]
  const child = spawn(command!, args, { stdio: 'inherit' })
  onTestFinished(() => void child.kill())
}

test.skipIf(missing !== undefined)(
  'instances on two hosts reach each other and the outside, and a connection outlives a move @long',
  async () => {
    const image = smallImage()
    const cloud = await openCloud(2, { networks: true })
    const { call, added, runs, sledOf, view } = cloud
    const center = cloud.center!
    const at = (command: string, ...args: string[]): string =>
      execFileSync(center.enter[0]!, [...center.enter.slice(1), command, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()

    serve(center, image, 8000)
    const download = await call<Wire.ImageDownload>('POST', '/x/v1/image-downloads?project=work', {
      name: 'small',
      description: '',
      os: 'Linux',
      version: '1',
      url: 'http://127.0.0.1:8000/image.qcow2',
    })
    const { image_id } = await until(
      () => call<Wire.ImageDownload>('GET', `/x/v1/image-downloads/${download.id}`),
      ({ state }) => expect(state).toBe('ready'),
    )
    const key = makeSshKey(join(temporaryDirectory(), 'key'))
    const { id: keyId } = await call<Wire.SshKey>('POST', '/v1/me/ssh-keys', {
      name: 'laptop',
      description: '',
      public_key: key.publicKey,
    })
    await call('POST', '/v1/anti-affinity-groups?project=work', {
      ...affinityBody('apart'),
      policy: 'fail',
    })
    const ips: string[] = []
    for (const name of ['web', 'db']) {
      await cloud.start(name, {
        disks: [],
        boot_disk: bootDisk(name, image_id!, GiB),
        ssh_public_keys: [keyId],
        network_interfaces: { type: 'default_dual_stack' },
        external_ips: [{ type: 'ephemeral' }],
        anti_affinity_groups: ['apart'],
      })
      await runs(name)
      const { items } = await call<Wire.ExternalIpResultsPage>(
        'GET',
        `/v1/instances/${name}/external-ips?project=work`,
      )
      ips.push(items.find(({ kind }) => kind === 'ephemeral')!.ip)
    }
    expect(await sledOf('web')).not.toBe(await sledOf('db'))

    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes']
    const ssh = (ip: string, command: string) => [
      '/usr/bin/ssh',
      '-i',
      key.file,
      ...options.flatMap((option) => ['-o', option]),
      `root@${ip}`,
      command,
    ]
    const inGuest = (ip: string, command: string): string => {
      const [program, ...args] = ssh(ip, command)
      return at(program!, ...args)
    }
    const [web, db] = ips as [string, string]
    await until(
      async () => inGuest(web, 'hostname'),
      (name) => expect(name).toBe('web'),
    )
    await until(
      async () => inGuest(db, 'hostname'),
      (name) => expect(name).toBe('db'),
    )
    // The largest packet, through the tunnel between the hosts.
    const large = 'ping -c 1 -W 5 -s 1414 db >/dev/null'
    expect(inGuest(web, `until ${large}; do :; done; echo passed`)).toBe('passed')

    // A connection from the outside stays while the instance moves to the host of the other one.
    const waiting = 'while [ ! -e /tmp/moved ]; do sleep 0.1; done; echo still here'
    const [program, ...args] = [...center.enter, ...ssh(web, `echo open; ${waiting}`)]
    const connection = spawn(program!, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let heard = ''
    connection.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text))
    const ended = new Promise((resolve) => connection.once('exit', resolve))
    await until(
      async () => heard,
      (text) => expect(text).toBe('open\n'),
    )
    await call('DELETE', '/v1/anti-affinity-groups/apart?project=work')
    const from = await sledOf('web')
    const to = added.find(({ sled_id }) => sled_id !== from)!.sled_id!
    const { id } = await view('web')
    await call('POST', `/x/v1/system/hardware/sleds/${from}/instances/${id}/move`, { sled_id: to })
    await until(
      () => sledOf('web'),
      (sled) => expect(sled).toBe(to),
    )
    await runs('web')
    inGuest(web, 'touch /tmp/moved')
    await ended
    expect(heard).toBe('open\nstill here\n')

    // The hosts did not take the port from each other: each has claimed it once.
    const [{ id: port }] = (
      await call<{ items: [Wire.InstanceNetworkInterface] }>(
        'GET',
        '/v1/network-interfaces?project=work&instance=web',
      )
    ).items
    const claims = cloud.hosts.map(
      ({ networkLog }) =>
        networkLog().match(
          new RegExp(
            `Claiming lport ${port} for this chassis|Changing chassis for lport ${port}`,
            'g',
          ),
        )?.length,
    )
    expect(claims).toEqual([1, 1])
    expect(inGuest(web, `until ${large}; do :; done; echo passed`)).toBe('passed')
  },
)
