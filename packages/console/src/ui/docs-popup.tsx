import { docsOfTopic } from '@steading/api/rules'
import { Dialog } from 'react-aria-components/Dialog'
import { DocsLink } from './docs-links.tsx'
import { hasDocs } from './server-state.ts'
import { MenuFrame } from './menu-popup.tsx'
import type { PopupProps } from './popup-button.tsx'

export type DocsContent = {
  topic: string
  summary: string
}

export function DocsPopup({ topic, summary, ...from }: PopupProps & DocsContent) {
  const page = docsOfTopic(topic)
  const linked = hasDocs.useValue() && page
  return (
    <MenuFrame from={from} placement="bottom-end" className="w-72">
      <Dialog aria-label={from.label} className="p-2 outline-none">
        <h2 className="mb-1 font-medium">{from.label}</h2>
        <p className="text-secondary">{summary}</p>
        {linked && (
          <p className="mt-3">
            <DocsLink page={page}>Read more in the docs</DocsLink>
          </p>
        )}
      </Dialog>
    </MenuFrame>
  )
}
