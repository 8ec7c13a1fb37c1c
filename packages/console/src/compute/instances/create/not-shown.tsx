import { AdminsToAsk } from '../../../page/admins-to-ask.tsx'
import RefusalReason from '../../../storage/image-policy/refusal-reason.tsx'
import { offerNames, type Part } from './queries.ts'

/** Replaces choices that the user's roles do not permit to read. */
export default function NotShown({ part }: { part: Part }) {
  return (
    <div className="rounded-card border border-dashed border-line-strong px-4 py-3 text-secondary">
      <p className="font-medium text-primary">{offerNames[part]} are not shown to you</p>
      <p>
        {part === 'siloImages' ? (
          <RefusalReason />
        ) : (
          <>
            They need a role on the silo. <AdminsToAsk />
          </>
        )}
      </p>
    </div>
  )
}
