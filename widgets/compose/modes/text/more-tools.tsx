import { redo, undo } from '@tiptap/pm/history'
import { useSnapshot } from 'valtio'
import { Icon, type IconData } from '../../../kit/icon/icon.tsx'
import {
  image,
  italic,
  link,
  list,
  listOrdered,
  redo as redoIcon,
  underline,
  undo as undoIcon,
} from '../../../kit/icon/icons.ts'
import { useMessages } from '../../../kit/text/text.tsx'
import { toggle, toggleList } from '../rich-text/commands.ts'
import type { TextTools } from './text-tools.ts'

/** The tools that only Text mode has. */
export function MoreTools({ tools }: { tools: TextTools }) {
  const t = useMessages()
  const { look, panel } = useSnapshot(tools.state)
  const tool = (
    name: string,
    icon: IconData,
    act: () => void,
    state: { pressed?: boolean; disabled?: boolean; needs?: string } = {},
  ) => (
    <button
      type="button"
      className="more"
      data-needs={state.needs}
      aria-label={name}
      title={name}
      aria-pressed={state.pressed}
      disabled={state.disabled}
      onClick={act}
    >
      <Icon of={icon} size={16} />
      {state.needs && <span className="tool-word">{name}</span>}
    </button>
  )
  return (
    <>
      {tool(t('Italic'), italic, () => tools.run(toggle('i')), { pressed: look.formats.includes('i') })}
      {tool(t('Underline'), underline, () => tools.run(toggle('u')), { pressed: look.formats.includes('u') })}
      {tool(t('Bullet list'), list, () => tools.run(toggleList('bullets')))}
      {tool(t('Numbered list'), listOrdered, () => tools.run(toggleList('numbers')))}
      {tool(t('Link'), link, () => tools.open('link'), { pressed: panel === 'link' })}
      {tool(t('Image'), image, () => tools.open('image'), { needs: 'images:write' })}
      {tool(t('Undo'), undoIcon, () => tools.run(undo), { disabled: !look.canUndo })}
      {tool(t('Redo'), redoIcon, () => tools.run(redo), { disabled: !look.canRedo })}
    </>
  )
}
