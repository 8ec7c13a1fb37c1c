import { detachedDisk, smallInstance } from '../things.ts'
import type { Probes } from './probe.ts'
import { box, fresh, freshInstance, ids, parents, server } from './world.ts'

export const instancesProbes = {
  instance_list: { args: () => ({ query: parents }) },
  instance_create: {
    args: () => ({ query: parents, body: smallInstance(fresh()) }),
    about: ['project'],
  },
  instance_clone: {
    args: () => ({ ...box, body: { name: fresh(), description: '', start: false } }),
    about: ['project', 'instance'],
  },
  instance_clone_view: { args: () => box },
  instance_view: {
    'by name': { args: () => box },
    'by id': { args: () => ({ params: { instance: ids.box } }) },
  },
  instance_update: {
    args: () => ({
      ...box,
      body: {
        ncpus: 2,
        memory: 2 ** 30,
        boot_disk: null,
        auto_restart_policy: null,
        cpu_platform: null,
        enable_jumbo_frames: false,
      },
    }),
  },
  instance_delete: {
    args: async () => ({ params: { instance: await freshInstance() }, query: parents }),
  },
  instance_start: { args: () => ({ params: { instance: 'broken' }, query: parents }), passes: 409 },
  instance_stop: { args: () => box },
  simulated_instance_load_view: { args: () => box },
  simulated_instance_set_load: {
    args: () => ({ ...box, body: { cpu: 50, disk: 0, network: 0 } }),
    passes: 400,
  },
  instance_reboot: { args: () => box, passes: 400 },
  instance_disk_list: { args: () => box },
  instance_disk_attach: { args: () => ({ ...box, body: { disk: 'data' } }) },
  instance_disk_detach: {
    async args() {
      const name = fresh()
      await detachedDisk(server.admin, parents, name)
      return { ...box, body: { disk: name } }
    },
  },
  // The snapshot is of a disk that this instance lacks.
  instance_roll_back: {
    args: () => ({
      params: { instance: 'broken' },
      query: parents,
      body: { snapshots: ['snap'] },
    }),
    passes: 400,
  },
  instance_external_ip_list: { args: () => box },
  // Attaching again returns the first address.
  instance_ephemeral_ip_attach: { args: () => ({ ...box, body: {} }) },
  instance_ephemeral_ip_detach: {
    args: () => ({ params: { instance: 'broken' }, query: parents }),
    passes: 400,
  },
  instance_affinity_group_list: { args: () => box },
  instance_anti_affinity_group_list: { args: () => box },
  instance_ssh_public_key_list: { args: () => box },
  instance_serial_console: {
    args: () => ({ ...box, query: { ...parents, from_start: 0 } }),
    passes: 400,
  },
  instance_serial_console_stream: { args: () => box, passes: 400 },
  serial_console_follow: { args: () => box, passes: 400 },
  serial_console_log: { args: () => box },
  // Simulated machines have no screen.
  instance_display: { args: () => box, passes: 501 },
  instance_screenshot: { args: () => box, passes: 501 },
  instance_search: { args: () => ({ query: parents }) },
  instance_deletion: { args: () => box },
  instance_failure: { args: () => box },
  instance_briefing: { args: () => ({ query: { ...parents, instance: 'box' } }) },
  instance_sled_view: { args: () => box },
} satisfies Partial<Probes>
