import { Button as AriaButton } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Info } from 'lucide-react'
import { buttonClass } from './button.tsx'
import { ExternalLink } from './link.tsx'
import { MenuPopover } from './menu.tsx'
import { tooltip } from './tooltip.tsx'
import { cx } from './cx.ts'

type DocsPopoverProps = {
  topic: string
  summary: string
  /** Only pages that exist. */
  guides?: { label: string; href: string }[]
}

export function DocsPopover({ topic, summary, guides = [] }: DocsPopoverProps) {
  const title = `Learn about ${topic}`
  return (
    <DialogTrigger>
      <AriaButton
        aria-label={title}
        className={cx(buttonClass('ghost', 'md', true), 'hover:bg-hover')}
        render={(props) => <button {...props} {...tooltip(title)} />}
      >
        <Info size={16} strokeWidth={1.5} aria-hidden />
      </AriaButton>
      <MenuPopover placement="bottom end" className="w-72">
        <Dialog aria-label={title} className="p-2 outline-none">
          <h2 className="mb-1 font-medium">{title}</h2>
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
      </MenuPopover>
    </DialogTrigger>
  )
}
