import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const textsIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx') && !name.startsWith('dist'))
      .map((name) => [name, readFileSync(join(root, folder, name), 'utf8')]),
  )

/** Parts that the gallery shows inside of other components, by the component that draws them. */
const inside: Record<string, string> = {
  Area: 'SmallChart',
  ChoicesPopup: 'ChoicesMenu',
  Confirming: 'ConfirmModal',
  DialogPart: 'ConfirmModal',
  DocsPopup: 'DocsPopover',
  FieldError: 'TextField',
  FieldFrame: 'TextField',
  FieldSign: 'ListboxField',
  FormCode: 'ModalForm',
  HeaderCell: 'Table',
  Legend: 'ChartCard',
  BandSwatch: 'ChartCard',
  ChartLoading: 'ChartCard',
  Listbox: 'ListboxField',
  ListPopup: 'ListPlusCell',
  MenuFrame: 'Menu',
  MenuItem: 'Menu',
  MenuPopup: 'Menu',
  ModalFrame: 'Modal',
  ModalParts: 'Modal',
  PhoneSort: 'Table',
  PlotView: 'ChartCard',
  PopupButton: 'Menu',
  PopupFrame: 'Menu',
  PopupMenu: 'Menu',
  PopupMenuItem: 'Menu',
  RangePopup: 'TimeRangePicker',
  RowActions: 'Table',
  RowMenuPopup: 'Table',
  SelectAllCell: 'Table',
  SelectCell: 'Table',
  SideModal: 'SideModalForm',
  Swatch: 'ChartCard',
  TriggeredFrame: 'ListboxField',
}

/** Components without a specimen, with the reason. */
const exceptions: Record<string, string> = {
  ErrorHelp: 'a DocsLink whose page depends on the status',
  NavigationGuardModal: 'a Modal with fixed texts',
  OpenedDialog: 'a place for the dialogs of pages',
}

const declared = [...textsIn('src/ui')].flatMap(([file, text]) =>
  [...text.matchAll(/^export (?:async )?(?:function|const) ([A-Z]\w*)(.*)$/gm)]
    // Constants, and contexts.
    .filter(([, name, rest]) => /[a-z]/.test(name!) && !rest!.includes('createContext'))
    .map(([, name]) => ({ name: name!, file })),
)
const gallery = [...textsIn('gallery').values()].join('\n')
const isShown = (name: string) => new RegExp(`<${name}\\b`).test(gallery)

test('the gallery shows every component of the design system', () => {
  expect(declared.length).toBeGreaterThan(80)
  const missing = declared.filter(
    ({ name }) => !isShown(name) && !(name in inside) && !(name in exceptions),
  )
  expect(missing).toEqual([])
})

test('only components without a specimen are exceptions', () => {
  const names = new Set(declared.map(({ name }) => name))
  const listed = [...Object.keys(inside), ...Object.keys(exceptions)]
  expect(listed.filter((name) => !names.has(name) || isShown(name))).toEqual([])
  expect(Object.values(inside).filter((name) => !isShown(name))).toEqual([])
})
