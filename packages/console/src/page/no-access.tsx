import type { ReactNode } from 'react'
import { Lock } from 'lucide-react'
import type { ApiError } from '../data/errors.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { RequestId } from '../ui/error-details.tsx'
import { AdminsToAsk } from './admins-to-ask.tsx'

type Props = {
  /** Subject of the sentence, such as `The disks`. */
  what: string
  error: ApiError
  children?: ReactNode
}

/**
 * Replaces content that the user's roles do not permit; this is not a failure. It loads by
 * itself once the user is given a role.
 */
export const NoAccess = ({ what, error, children }: Props) => (
  <div role="alert">
    <EmptyState
      icon={<Lock size={20} strokeWidth={1.5} aria-hidden className="text-tertiary" />}
      title="No access yet"
      body={
        <>
          You do not have access to {what.replace(/^The /, 'the ')} yet. <AdminsToAsk />
        </>
      }
    >
      {children}
      <details className="mt-4 text-xs text-tertiary">
        <summary className="cursor-pointer">Details</summary>
        <p className="mt-1">{error.message}</p>
        {error.requestId && <RequestId id={error.requestId} />}
      </details>
    </EmptyState>
  </div>
)
