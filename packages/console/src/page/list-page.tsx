import type { MethodName } from '@steading/api/client'
import { Outlet } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { invalidate } from '../data/api.ts'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { CreateButton, useCreate } from './create-action.tsx'
import { ListContents, type ListContentsProps } from './list-contents.tsx'
import { SkipToTable } from './skip-to-table.tsx'

type ListPageProps<Row> = Omit<ListContentsProps<Row>, 'end'> & {
  title: string
  docs: ComponentProps<typeof DocsPopover>
  /** Between the documentation and the refresh button. */
  status?: ReactNode
  /** Between the header and the list. */
  notice?: ReactNode
  /** The operations that the refresh button reads again. */
  reads: MethodName[]
  /** The dialogs of the page. */
  children?: ReactNode
}

/** The page of a list: its header, controls, table and pages, under its side modals. */
export function ListPage<Row extends { id: string; name: string }>(props: ListPageProps<Row>) {
  const { title, docs, status, notice, reads, children, ...contents } = props
  const { icon: Icon, create, list } = contents
  useCreate(create)
  return (
    <>
      <PageHeader title={title} icon={<Icon strokeWidth={1.5} aria-hidden />}>
        {list.rows?.length ? <SkipToTable /> : null}
        <DocsPopover {...docs} />
        {status}
        <RefreshButton onRefresh={() => invalidate(...reads)} />
        {create && <CreateButton {...create} />}
      </PageHeader>
      {notice}
      <ListContents {...contents} />
      {children}
      <Outlet />
    </>
  )
}
