import { CreateButton, useCreate } from './create-action.tsx'
import { ListContents, type ListContentsProps } from './list-contents.tsx'

/** A list as the tab of a page: what adds to it is at the end of its controls. */
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
