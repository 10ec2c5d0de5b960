import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useSnapshot } from 'valtio'
import { TextField } from '../../../../kit/form/text-field.tsx'
import { Icon, type IconData } from '../../../../kit/icon/icon.tsx'
import {
  arrowDown,
  arrowUp,
  bold,
  copy,
  grip,
  italic,
  link,
  pencil,
  trash,
  underline,
} from '../../../../kit/icon/icons.ts'
import { useText } from '../../../../kit/text/text.tsx'
import type { DesignStore } from '../design-store.ts'
import { findBlock } from '../document/find.ts'
import { VariableMenu } from '../variable-menu.tsx'
import { hasWords, variableChip } from './edit-words.ts'
import { insertChip, selectedRange, toggleFormat, type FormatTag } from './format.ts'

interface ToolStripProps {
  store: DesignStore
  /** Of the selected block, in px from the top left of the canvas. */
  box: { top: number; left: number; width: number }
  onDrag: (event: globalThis.PointerEvent) => void
}

/** The dark strip above the selected block: what can be done with it, or with its words while they are edited. */
export function ToolStrip({ store, box, onDrag }: ToolStripProps) {
  const t = useText()
  const { selected, isEditing, design } = useSnapshot(store.state)
  const found = selected === null ? null : findBlock(store.design(), selected)
  const isRow = design.rows.some(({ id }) => id === selected)
  if (found === null && !isRow) return null
  const style = { top: box.top - 44, left: Math.max(box.left, 4) }
  if (isEditing && found?.block.type !== 'button') return <FormatStrip store={store} style={style} />
  const onPointerDown = (event: PointerEvent) => onDrag(event.nativeEvent)
  return (
    <div className="tool-strip" role="toolbar" aria-label={isRow ? t('Row') : t('Block')} style={style}>
      {!isRow && (
        <span className="tool-grip" title={t('Drag')} onPointerDown={onPointerDown}>
          <Icon of={grip} size={16} />
        </span>
      )}
      {found !== null && hasWords(found.block) && (
        <Tool icon={pencil} text={t('Edit the words')} onPress={() => store.edit(found.block.id)} />
      )}
      <Tool icon={arrowUp} text={t('Move up')} onPress={() => store.step(-1)} />
      <Tool icon={arrowDown} text={t('Move down')} onPress={() => store.step(1)} />
      <Tool icon={copy} text={t('Duplicate')} onPress={() => store.duplicate()} />
      <Tool icon={trash} text={t('Delete')} onPress={() => store.remove()} />
    </div>
  )
}

interface ToolProps {
  icon: IconData
  text: string
  onPress: () => void
}

/** A press keeps the focus where it is, so that a selection of words stays. */
function Tool({ icon, text, onPress }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={text}
      title={text}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon of={icon} size={16} />
    </button>
  )
}

function FormatStrip({ store, style }: { store: DesignStore; style: { top: number; left: number } }) {
  const t = useText()
  const [address, setAddress] = useState<{ text: string; range: Range | null } | null>(null)
  const format = (tag: FormatTag) => {
    const range = selectedRange(store.canvas.root)
    if (range) toggleFormat(range, tag)
  }
  const setLink = () => {
    if (address?.range) toggleFormat(address.range, 'a', address.text)
    setAddress(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    setLink()
  }
  return (
    <div className="tool-strip" role="toolbar" aria-label={t('Format')} style={style}>
      <Tool icon={bold} text={t('Bold')} onPress={() => format('b')} />
      <Tool icon={italic} text={t('Italic')} onPress={() => format('i')} />
      <Tool icon={underline} text={t('Underline')} onPress={() => format('u')} />
      <Tool
        icon={link}
        text={t('Link')}
        onPress={() => setAddress({ text: 'https://', range: selectedRange(store.canvas.root) })}
      />
      <VariableMenu
        onPick={(name, fallback) => {
          insertChip(store, variableChip(name, fallback))
        }}
        design={store.design()}
      />
      {address !== null && (
        <span className="tool-link" onKeyDown={onKeyDown}>
          <TextField
            label={t('Goes to')}
            value={address.text}
            autoFocus
            onValue={(text) => setAddress({ ...address, text })}
          />
        </span>
      )}
    </div>
  )
}
