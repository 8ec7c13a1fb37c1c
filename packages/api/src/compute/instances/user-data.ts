/**
 * User data: the formats that cloud-init recognizes, and examples. The control plane takes any
 * bytes, since guests may have other ways to read them.
 */
import type { EngineName } from '../../maintenance/system/engine.ts'

export const CLOUD_CONFIG = '#cloud-config'
const SCRIPT = '#!'

/** Beginnings of the other formats. Longer ones come before the beginnings that they contain. */
const otherFormats = [
  '#cloud-config-archive',
  '#cloud-config-jsonp',
  '#cloud-boothook',
  '#include',
  '#part-handler',
  '## template:',
  'content-type:',
  'mime-version:',
]

/** `other` is a format whose contents nobody but the guest checks. */
export type UserDataFormat = 'cloudConfig' | 'script' | 'other' | 'unknown'

/** The format of user data, which is decided by its first characters. */
export function userDataFormat(text: string): UserDataFormat {
  const start = text.slice(0, 64).toLowerCase()
  if (otherFormats.some((begin) => start.startsWith(begin))) return 'other'
  if (text.startsWith(CLOUD_CONFIG)) return 'cloudConfig'
  return text.startsWith(SCRIPT) ? 'script' : 'unknown'
}

/** Remarks about user data. None of them forbids to send it. */
export const userDataRemarks = {
  unknown: `cloud-init recognizes user data by its first line: ${CLOUD_CONFIG}, or ${SCRIPT} and the interpreter of a script, such as ${SCRIPT}/bin/sh. It ignores this text.`,
  noInterpreter: `The first line needs the path of an interpreter after ${SCRIPT}, such as ${SCRIPT}/bin/sh`,
  notKeys: 'A cloud-config consists of keys with values, such as “packages: [nginx]”',
  unknownAlias: (name: string) => `No anchor &${name} precedes the alias *${name}`,
  tooDeep: 'This is nested too deeply',
} as const

/** Whether a script names its interpreter. */
export const hasInterpreter = (script: string): boolean => /^#![ \t]*\/\S/.test(script)

/** Device of the first disk besides the boot disk, in a guest of each engine. */
export const secondDiskDevices: Record<EngineName, string> = {
  simulated: '/dev/nvme1n1',
  libvirt: '/dev/vdb',
}

const lines = (...all: string[]): string => `${all.join('\n')}\n`

/** Examples of user data; the first line of each is its format. */
export const userDataExamples: readonly {
  title: string
  /**
   * @param own.key public SSH key of the user
   * @param own.device of the second disk
   */
  text: (own: { key: string; device: string }) => string
}[] = [
  {
    title: 'Packages and a service',
    text: () =>
      lines(
        CLOUD_CONFIG,
        'package_update: true',
        'packages:',
        '  - nginx',
        'write_files:',
        '  - path: /var/www/html/index.html',
        '    content: |',
        '      <h1>Hello</h1>',
        'runcmd:',
        '  - systemctl enable --now nginx',
      ),
  },
  {
    title: 'A user with a key',
    text: ({ key }) =>
      lines(
        CLOUD_CONFIG,
        'users:',
        '  - default',
        '  - name: ada',
        '    groups: [sudo]',
        '    shell: /bin/bash',
        '    sudo: ALL=(ALL) NOPASSWD:ALL',
        '    ssh_authorized_keys:',
        `      - ${JSON.stringify(key)}`,
      ),
  },
  {
    title: 'A script',
    text: () =>
      lines(
        `${SCRIPT}/bin/sh`,
        '# Runs as root, at the end of the first boot.',
        'set -eu',
        'echo "Started on $(date)" >> /var/log/first-boot.log',
      ),
  },
  {
    title: 'A second disk',
    text: ({ device }) =>
      lines(
        CLOUD_CONFIG,
        '# A file system is made only if the disk has none.',
        'fs_setup:',
        `  - device: ${device}`,
        '    partition: none',
        '    filesystem: ext4',
        '    overwrite: false',
        'mounts:',
        `  - [${device}, /srv/data, ext4, "defaults,nofail"]`,
      ),
  },
]
