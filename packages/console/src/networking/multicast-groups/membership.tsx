import type { ReactNode } from 'react'
import { invalidate } from '../../data/api.ts'
import { Banner } from '../../ui/banner.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { multicastReads, useMulticastOff } from './queries.ts'

/** A member, with the name of its group, or the address where that is not known. */
interface Membership {
  instance: string
  project: string
  group: { id: string; label: string }
}

/** Asks, then ends a membership. */
export function useLeaveGroup() {
  const leave = useApiAction('instanceMulticastGroupLeave', {
    onSuccess: () => void invalidate(...multicastReads),
  })
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
          <Strong>{group.label}</Strong>? It will not receive what is sent to the group. The group
          goes with its last member.
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
    'What is sent to the address of a multicast group reaches all instances that are in it. A group comes with the first instance that joins it, and goes with the last one that leaves.',
}

/** Tells that no instance can join, where that is so. */
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
