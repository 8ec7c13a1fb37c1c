import type { ReactNode } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useMulticastOff } from './queries.ts'

/** A membership, labelled by the name of the group, or by its address if the name is unknown. */
interface Membership {
  instance: string
  project: string
  group: { id: string; label: string }
}

/** Ends a membership, after confirmation. */
export function useLeaveGroup() {
  const leave = useApiAction('instanceMulticastGroupLeave')
  return ({ instance, project, group }: Membership) => {
    const { action, code } = leave({
      path: { instance, multicastGroup: group.id },
      query: { project },
    })
    confirmAction({
      title: 'Leave multicast group',
      body: (
        <>
          Are you sure that <Strong>{instance}</Strong> leaves multicast group{' '}
          <Strong>{group.label}</Strong>? It will no longer receive packets sent to the group. The
          group is deleted with its last member.
        </>
      ),
      errorTitle: `Error leaving ${group.label}`,
      danger: true,
      code,
      action: async () => {
        await action()
        addToast({
          content: (
            <>
              Instance <b>{instance}</b> left multicast group <b>{group.label}</b>
            </>
          ),
        })
      },
    })
  }
}

export const multicastDocs = {
  topic: 'multicast groups',
  summary:
    'Packets sent to the address of a multicast group reach all instances in it. A group is created when the first instance joins, and deleted when the last one leaves.',
}

/** Notice that multicast is turned off, if it is. */
export function MulticastOff({ children }: { children?: ReactNode }) {
  const off = useMulticastOff()
  if (!off) return null
  return (
    <Banner variant="notice" title={off}>
      Instances cannot join groups until an operator starts the servers with{' '}
      <code className="font-mono text-xs">--multicast</code>. {children}
    </Banner>
  )
}
