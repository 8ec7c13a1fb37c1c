import { Outlet } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { refetchShown } from '../data/api.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../ui/page-header.tsx'
import { focusFirstRow } from '../ui/keyboard/rows.ts'
import { CreateButton, useCreate } from './create-action.tsx'
import { ListContents, type ListContentsProps } from './list-contents.tsx'

type ListPageProps<Row> = Omit<ListContentsProps<Row>, 'end'> & {
  title: string
  /** Facts beside the title. */
  meta?: ReactNode
  /** Omitted if a page around the list has them. */
  docs?: ComponentProps<typeof DocsPopover>
  /** Content between the documentation and the refresh button. */
  status?: ReactNode
  /** Content between the header and the list. */
  notice?: ReactNode
  /** Dialogs of the page. */
  children?: ReactNode
}

/** The page of a list: its header, controls, table and pages, under its side modals. */
export function ListPage<Row extends { id: string; name: string }>(props: ListPageProps<Row>) {
  const { title, meta, docs, status, notice, children, ...contents } = props
  const { icon: Icon, create, list } = contents
  useCreate(create)
  return (
    <>
      <PageHeader title={title} icon={<Icon strokeWidth={1.5} aria-hidden />} meta={meta}>
        {list.rows?.length ? <SkipToTable /> : null}
        {docs && <DocsPopover {...docs} />}
        {status}
        <RefreshButton onRefresh={refetchShown} />
        {create && <CreateButton {...create} />}
      </PageHeader>
      {notice}
      <ListContents {...contents} />
      {children}
      <Outlet />
    </>
  )
}

/** A list as a tab of a page, with its create button at the end of the controls. */
export function ListTab<Row extends { id: string; name: string }>(
  props: Omit<ListContentsProps<Row>, 'end'>,
) {
  useCreate(props.create)
  return (
    <ListContents
      {...props}
      end={props.create && <CreateButton {...props.create} variant="secondary" />}
    />
  )
}

/** The first tab stop after the heading of a list, visible above the actions only while focused. */
function SkipToTable() {
  return (
    <button
      type="button"
      onClick={focusFirstRow}
      className="sr-only focus-visible:not-sr-only focus-visible:absolute! focus-visible:end-(--gutter) focus-visible:top-0 focus-visible:z-20 focus-visible:rounded-control focus-visible:bg-accent focus-visible:px-3! focus-visible:py-1.5! focus-visible:text-on-accent"
    >
      Skip to table
    </button>
  )
}
