/** Templates: a front end of the shop, and a small machine for every project of the silo. */
import { GiB } from '@steading/api/rules'
import { newVariable } from '@steading/api/templates'
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const bootDisk = (size: unknown) => ({
  type: 'create',
  name: '${name}-boot',
  description: 'Boot disk of ${name}',
  size,
  disk_backend: {
    type: 'distributed',
    disk_source: { type: 'image', image_id: { $variable: 'image' }, read_only: false },
  },
})

const userData = `#cloud-config
packages:
  - nginx
write_files:
  - path: /etc/motd
    content: |
      \${name}, serving the \${site} site
runcmd:
  - systemctl enable --now nginx
`

export const templateMoments: Moment[] = [
  {
    daysAgo: 40,
    happen: async ({ api }) =>
      must(
        await api.instanceTemplateCreate({
          query: { project: 'storefront' },
          body: {
            name: 'front-end',
            description: 'A web server of the shop, on a sled without another one',
            instance: {
              description: 'Front end of the ${site} site',
              ncpus: { $variable: 'cpus' },
              memory: { $variable: 'memory' },
              boot_disk: bootDisk(20 * GiB),
              network_interfaces: {
                type: 'create',
                params: [
                  {
                    name: 'net0',
                    description: '',
                    vpc_name: 'shop',
                    subnet_name: 'public',
                    ip_config: {
                      type: 'v4',
                      value: { ip: { type: 'auto' }, transit_ips: [] },
                    },
                  },
                ],
              },
              anti_affinity_groups: ['web'],
              user_data: { $text: userData },
            },
            variables: [
              newVariable({
                name: 'site',
                label: 'Site',
                type: 'choice',
                choices: ['main', 'outlet', 'staging'],
                default: 'main',
              }),
              newVariable({
                name: 'cpus',
                label: 'vCPUs',
                type: 'number',
                choices: [2, 4, 8],
                default: 4,
              }),
              newVariable({
                name: 'memory',
                label: 'Memory',
                type: 'size',
                choices: [8 * GiB, 16 * GiB],
                default: 8 * GiB,
              }),
              newVariable({
                name: 'image',
                label: 'Image',
                type: 'image',
                default: 'ubuntu-24-04',
              }),
            ],
          },
        }),
      ),
  },
  {
    daysAgo: 90,
    happen: async ({ api }) =>
      must(
        await api.instanceTemplateCreate({
          query: {},
          body: {
            name: 'small-machine',
            description: 'For trying things out: two vCPUs, in the default network of the project',
            instance: {
              ncpus: 2,
              memory: 4 * GiB,
              boot_disk: bootDisk({ $variable: 'disk' }),
              start: { $variable: 'start' },
            },
            variables: [
              newVariable({ name: 'image', label: 'Image', type: 'image', default: 'debian-13' }),
              newVariable({
                name: 'disk',
                label: 'Size of the boot disk',
                type: 'size',
                min: 10 * GiB,
                max: 100 * GiB,
                default: 10 * GiB,
              }),
              newVariable({ name: 'start', label: 'Start it', type: 'boolean', default: true }),
            ],
          },
        }),
      ),
  },
]
