/** First steps in a project, a silo and the fleet, in their order. */
import type { ConsolePath } from '../../rules/console-paths.ts'
import { inPath } from '../issues/rules.ts'
import type { OverviewScope } from '../overview/rules.ts'

interface Step {
  title: string
  /** What the step is good for. */
  why: string
  /** Label of the button. */
  action: string
  /** Page to which the button leads. */
  path: ConsolePath | `${ConsolePath}?${string}`
}

export const firstSteps = {
  project: {
    image: {
      title: 'Add an image',
      why: 'Instances start from the operating system of an image.',
      action: 'Upload an image',
      path: '/projects/$project/images-new',
    },
    subnet: {
      title: 'Create a network',
      why: 'Instances take their addresses from the subnet of a VPC.',
      action: 'Create a VPC',
      path: '/projects/$project/vpcs-new',
    },
    ip_pool: {
      title: 'Provide external addresses',
      why: 'Without an IP pool linked to the silo, instances are not reachable from outside.',
      action: 'Open the IP pools',
      path: '/system/networking/ip-pools',
    },
    ssh_key: {
      title: 'Add your SSH key',
      why: 'New instances accept it, so that you can sign in to them.',
      action: 'Add an SSH key',
      path: '/settings/ssh-keys-new',
    },
    instance: {
      title: 'Start the first instance',
      why: 'A virtual machine with a disk and a network interface.',
      action: 'Create an instance',
      path: '/projects/$project/instances-new',
    },
    schedule: {
      title: 'Back up the disks',
      why: 'A schedule takes snapshots of them, and keeps as many as you want.',
      action: 'Create a schedule',
      path: '/projects/$project/schedules-new',
    },
  },
  silo: {
    password: {
      title: 'Change your password',
      why: "The generated one is in the server's log.",
      action: 'Change password',
      path: '/settings/profile?password=true',
    },
    quota: {
      title: 'Set the quotas',
      why: 'They limit how many vCPUs, how much memory and storage the silo may use.',
      action: 'Open the quotas',
      path: '/system/silos/$silo/quotas',
    },
    project: {
      title: 'Create a project',
      why: 'A project holds the instances, disks and networks of one purpose.',
      action: 'Create a project',
      path: '/projects-new',
    },
    image: {
      title: 'Share an image',
      why: 'Images of the silo are available in all of its projects.',
      action: 'Open the images',
      path: '/images',
    },
    second_user: {
      title: 'Invite a colleague',
      why: 'With two administrators, nobody is locked out by a lost password.',
      action: 'Invite a colleague',
      path: '/users-invite',
    },
  },
  fleet: {
    real_machines: {
      title: 'Run real machines',
      why: 'Machines are simulated here. With QEMU and libvirt, guests run code.',
      action: 'Open the sleds',
      path: '/system/inventory/sleds',
    },
    ip_pool: {
      title: 'Create an IP pool',
      why: 'Silos take their external addresses from the pools that are linked to them.',
      action: 'Create an IP pool',
      path: '/system/networking/ip-pools-new',
    },
    second_silo: {
      title: 'Create a silo for others',
      why: 'Each organization has its own users, projects and quota.',
      action: 'Create a silo',
      path: '/system/silos-new',
    },
  },
} as const satisfies Record<OverviewScope, Record<string, Step>>

export type StepOf<Scope extends OverviewScope> = keyof (typeof firstSteps)[Scope] & string
export type FirstStep = { [Scope in OverviewScope]: StepOf<Scope> }[OverviewScope]
export const firstStepNames = [
  ...new Set(Object.values(firstSteps).flatMap((steps) => Object.keys(steps) as FirstStep[])),
]

/** The page of a step, in a project or a silo. */
export const stepPath = ({ path }: Step, names: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\$(\w+)/g, (_, name: string) => inPath(names[name]!))
