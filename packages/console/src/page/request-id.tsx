import { CopyButton } from '../ui/copy-button.tsx'
import { Mono } from '../ui/text.tsx'

/** What an administrator asks for when something has failed. On a phone the ID has a line of its own. */
export const RequestId = ({ id }: { id: string }) => (
  <p className="flex flex-wrap items-center justify-center gap-x-1 text-xs text-tertiary">
    Request ID
    <span className="flex items-center gap-1 whitespace-nowrap">
      <Mono>{id}</Mono>
      <CopyButton text={id} />
    </span>
  </p>
)
