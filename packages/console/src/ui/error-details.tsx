import { CopyButton } from './copy-button.tsx'
import { Mono } from './text.tsx'

/** Technical details of an error, such as the JSON of a failed validation. */
export const ErrorDetails = ({ text }: { text: string }) => (
  <details className="mt-2 text-start text-xs">
    <summary className="cursor-pointer">Details</summary>
    <pre className="mt-1 max-h-60 overflow-auto font-mono whitespace-pre-wrap wrap-anywhere">
      {text}
    </pre>
  </details>
)

/** Request ID, which administrators need after a failure. On a phone it has a line of its own. */
export const RequestId = ({ id }: { id: string }) => (
  <p className="flex flex-wrap items-center justify-center gap-x-1 text-xs text-tertiary">
    Request ID
    <span className="flex items-center gap-1 whitespace-nowrap">
      <Mono>{id}</Mono>
      <CopyButton text={id} />
    </span>
  </p>
)
