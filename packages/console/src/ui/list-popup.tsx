import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { MenuFrame } from './menu-popup.tsx'
import type { PopupProps } from './popup-button.tsx'

export type ListContent = { title: string; items: { text: string; content?: ReactNode }[] }

/** All items of a cell that shows only the first one. */
export function ListPopup({ title, items, ...from }: PopupProps & ListContent) {
  return (
    <MenuFrame
      from={from}
      placement="bottom-start"
      className="max-h-[min(24rem,var(--available-height))]!"
    >
      <Dialog aria-label={title} className="p-2 outline-none">
        <h2 className="mb-1 font-medium">{title}</h2>
        <ul className="flex flex-col gap-0.5">
          {items.map(({ text, content }) => (
            <li key={text} className="flex min-h-6 items-center">
              {content ?? text}
            </li>
          ))}
        </ul>
      </Dialog>
    </MenuFrame>
  )
}
