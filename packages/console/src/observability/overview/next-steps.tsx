import type { Overview } from '@steading/api/client'
import type { ConsolePath, FirstStep, firstSteps, OverviewScope } from '@steading/api/rules'
import { pathTo } from '../../data/addresses.ts'
import { TextLink } from '../../ui/link.tsx'
import { StepList } from './step-list.tsx'

type Words = { title: string; why: string; link: string; path: ConsolePath }

/** Words of the first steps in each scope. */
const words: { [Scope in OverviewScope]: Record<(typeof firstSteps)[Scope][number], Words> } = {
  project: {
    image: {
      title: 'Add an image',
      why: 'Instances start from the operating system of an image.',
      link: 'Upload an image',
      path: '/projects/$project/images-new',
    },
    subnet: {
      title: 'Have a network',
      why: 'Instances take their addresses from the subnet of a VPC.',
      link: 'Create a VPC',
      path: '/projects/$project/vpcs-new',
    },
    ip_pool: {
      title: 'Get external addresses',
      why: 'An operator links an IP pool to the silo. Without it, instances are not reachable from outside.',
      link: 'Open the floating IPs',
      path: '/projects/$project/floating-ips',
    },
    ssh_key: {
      title: 'Add your SSH key',
      why: 'New instances accept it, so that you can sign in to them.',
      link: 'Add an SSH key',
      path: '/settings/ssh-keys-new',
    },
    instance: {
      title: 'Start the first instance',
      why: 'A virtual machine with a disk and a network interface.',
      link: 'Create an instance',
      path: '/projects/$project/instances-new',
    },
  },
  silo: {
    quota: {
      title: 'Have a quota',
      why: 'Operators decide how many vCPUs, how much memory and storage a silo may use.',
      link: 'Open the utilization',
      path: '/utilization',
    },
    image: {
      title: 'Share an image',
      why: 'Images of the silo are available in all of its projects.',
      link: 'Open the images',
      path: '/images',
    },
    second_user: {
      title: 'Invite a second person',
      why: 'With two administrators, nobody is locked out by a lost password.',
      link: 'Open users and groups',
      path: '/users',
    },
    project: {
      title: 'Create a project',
      why: 'A project holds the instances, disks and networks of one purpose.',
      link: 'Create a project',
      path: '/projects-new',
    },
  },
  fleet: {
    real_machines: {
      title: 'Run real machines',
      why: 'Machines are simulated here. With QEMU and libvirt, guests run code.',
      link: 'Open the sleds',
      path: '/system/inventory/sleds',
    },
    ip_pool: {
      title: 'Create an IP pool',
      why: 'Silos take their external addresses from the pools that are linked to them.',
      link: 'Create an IP pool',
      path: '/system/networking/ip-pools-new',
    },
    second_silo: {
      title: 'Create a silo for others',
      why: 'Each organization has its own users, projects and quota.',
      link: 'Create a silo',
      path: '/system/silos-new',
    },
  },
}

type NextStepsProps = {
  steps: NonNullable<Overview['nextSteps']>
  scope: OverviewScope
  project: string | undefined
}

/** The first steps, with those that are done checked. */
export function NextSteps({ steps, scope, project }: NextStepsProps) {
  const ofScope: Partial<Record<FirstStep, Words>> = words[scope]
  const listed = steps.flatMap(({ step, done }) => {
    const said = ofScope[step]
    if (!said) return []
    const to = pathTo(said.path, project === undefined ? {} : { project })
    return [{ id: step, ...said, done, links: <TextLink to={to as '/'}>{said.link}</TextLink> }]
  })
  return <StepList title="What to do next" steps={listed} />
}
