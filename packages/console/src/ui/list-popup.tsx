import type { ReactNode } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { MenuPopover, PopupTrigger } from './menu-popup.tsx'
import type { PopupProps } from './popup-button.tsx'

export type ListContent = { title: string; items: { text: string; content?: ReactNode }[] }

/** The items that do not fit into a cell. */
export function ListPopup({ title, items, ...begun }: PopupProps & ListContent) {
  return (
    <DialogTrigger>
      <PopupTrigger {...begun} />
      <MenuPopover placement="bottom start" className="max-h-96">
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
      </MenuPopover>
    </DialogTrigger>
  )
}
