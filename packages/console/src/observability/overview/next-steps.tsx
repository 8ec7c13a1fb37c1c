import type { Overview } from '@steading/api/client'
import type { ConsolePath, FirstStep, firstSteps, OverviewScope } from '@steading/api/rules'
import { Check } from 'lucide-react'
import { pathTo } from '../../data/addresses.ts'
import { TextLink } from '../../ui/link.tsx'
import { cx } from '../../ui/cx.ts'
import { Panel, Section } from './section.tsx'

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
  const done = steps.filter((each) => each.done).length
  const ofScope: Partial<Record<FirstStep, Words>> = words[scope]
  return (
    <Section
      title="What to do next"
      aside={
        <span className="text-tertiary tabular-nums">
          {done} of {steps.length} done
        </span>
      }
    >
      <Panel>
        <ol className="divide-y divide-line">
          {steps.map((each, index) => {
            const step = ofScope[each.step]
            if (!step) return null
            const to = pathTo(step.path, project === undefined ? {} : { project })
            return (
              <li key={each.step} className="flex items-start gap-3 px-4 py-3">
                <span
                  aria-hidden
                  className={cx(
                    'flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium tabular-nums',
                    each.done
                      ? 'border-green-border bg-green-surface text-green-text'
                      : 'border-accent-border bg-accent-surface text-accent-text',
                  )}
                >
                  {each.done ? <Check size={14} strokeWidth={2} /> : index + 1}
                </span>
                <div className="min-w-0 flex-1">
                  <div className={cx('font-medium', each.done && 'text-secondary')}>
                    {step.title}
                    {each.done && <span className="sr-only">, done</span>}
                  </div>
                  {!each.done && <p className="text-secondary">{step.why}</p>}
                </div>
                {!each.done && <TextLink to={to as '/'}>{step.link}</TextLink>}
              </li>
            )
          })}
        </ol>
      </Panel>
    </Section>
  )
}
