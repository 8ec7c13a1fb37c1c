import { Dialog } from 'react-aria-components/Dialog'
import { ExternalLink } from './link.tsx'
import { MenuFrame } from './menu-popup.tsx'
import type { PopupProps } from './popup-button.tsx'

export type DocsContent = {
  summary: string
  /** Only pages that exist. */
  guides?: { label: string; href: string }[]
}

export function DocsPopup({ summary, guides = [], ...from }: PopupProps & DocsContent) {
  return (
    <MenuFrame from={from} placement="bottom-end" className="w-72">
      <Dialog aria-label={from.label} className="p-2 outline-none">
        <h2 className="mb-1 font-medium">{from.label}</h2>
        <p className="text-secondary">{summary}</p>
        {guides.length > 0 && (
          <>
            <h3 className="caps mt-3 mb-1 text-tertiary">Guides</h3>
            <ul>
              {guides.map(({ label, href }) => (
                <li key={label}>
                  <ExternalLink href={href}>{label}</ExternalLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </Dialog>
    </MenuFrame>
  )
}
