import { docsOfStatus } from '@steading/api/rules'
import { DocsLink } from '../ui/docs-link.tsx'

/** A link to what the documentation says about an error, if it says anything. */
export function ErrorHelp({ status }: { status: number }) {
  const page = docsOfStatus(status)
  return page && <DocsLink page={page}>What helps</DocsLink>
}
