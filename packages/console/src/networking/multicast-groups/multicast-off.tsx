import type { ReactNode } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { useMulticastOff } from './queries.ts'

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
