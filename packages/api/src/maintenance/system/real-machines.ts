/** From simulated machines to real ones, on Debian. */

const packages = [
  'qemu-system-x86',
  'qemu-utils',
  'libvirt-daemon',
  'libvirt-daemon-driver-qemu',
  'libvirt-clients',
  'libarchive13',
  'libnbd0',
  'ovmf',
]

/** For networks between machines, without root. */
const networkPackages = [
  'libvirt-daemon-system',
  'ovn-central',
  'ovn-host',
  'openvswitch-switch',
  'passt',
  'uidmap',
  'nftables',
  'ethtool',
  'iproute2',
]

/** The commands, in this order. Data belong to one engine, hence the new directory. */
export const realMachineCommands = [
  `sudo apt-get install --no-install-recommends ${[...packages, ...networkPackages].join(' ')}`,
  'npm start -- --engine libvirt --data <new directory>',
] as const

export const realMachinesHelp =
  'For real machines, the operator of the server runs these commands on Debian, with a directory that does not exist yet:'
