import type {
  Block,
  ButtonBlock,
  Colour,
  ImageBlock,
  MenuBlock,
  ProductBlock,
  TextStyle,
} from '../../../../../contract/design/design.ts'
import { footerStyle } from '../../../../../mail-design/blocks.ts'
import { headingSizes, textStyle } from '../../../../../mail-design/text-style.ts'
import { Button } from '../../../../kit/form/button.tsx'
import { SelectField } from '../../../../kit/form/select-field.tsx'
import { TextArea } from '../../../../kit/form/text-area.tsx'
import { TextField } from '../../../../kit/form/text-field.tsx'
import { image } from '../../../../kit/icon/icons.ts'
import { useText } from '../../../../kit/text/text.tsx'
import { emptyAddress } from '../document/new-blocks.ts'
import { ColourField, NumberField, Toggle } from './fields.tsx'
import { AddressField, AlignField, useContrastHint, without, type BlockFieldsProps } from './shared-fields.tsx'
import { ListFields, TableFields } from './table-fields.tsx'

/** The settings of a block under visible labels. */
export function BlockFields(props: BlockFieldsProps) {
  const { block } = props
  switch (block.type) {
    case 'button':
      return <ButtonFields {...(props as unknown as BlockFieldsProps<ButtonBlock>)} />
    case 'image':
      return <ImageFields {...(props as unknown as BlockFieldsProps<ImageBlock>)} />
    case 'heading':
      return <HeadingFields {...(props as unknown as BlockFieldsProps<Block & { type: 'heading' }>)} />
    case 'text':
    case 'footer':
      return (
        <StyleFields
          {...props}
          style={block.style}
          standard={block.type === 'footer' ? 'footer' : 'text'}
          base={block.type === 'footer' ? footerStyle : textStyle}
        />
      )
    case 'menu':
    case 'social':
      return <ListFields {...(props as unknown as BlockFieldsProps<MenuBlock>)} />
    case 'product':
      return <ProductFields {...(props as unknown as BlockFieldsProps<ProductBlock>)} />
    case 'table':
      return <TableFields {...(props as unknown as BlockFieldsProps<Block & { type: 'table' }>)} />
    case 'divider':
      return <DividerFields {...(props as unknown as BlockFieldsProps<Block & { type: 'divider' }>)} />
    case 'spacer':
      return <SpacerFields {...(props as unknown as BlockFieldsProps<Block & { type: 'spacer' }>)} />
    case 'html':
      return <CodeField {...(props as unknown as BlockFieldsProps<Block & { type: 'html' }>)} />
  }
}

function ButtonFields({ block, theme, onChange }: BlockFieldsProps<ButtonBlock>) {
  const t = useText()
  const { inset = [15, 26, 15, 26] } = block
  const hint = useContrastHint(block.colour ?? 'onAccent', block.fill ?? 'accent', theme)
  const colour = (name: 'fill' | 'colour') => (value: Colour | undefined) => onChange(name, { [name]: value })
  return (
    <>
      <TextField
        label={t('Words on the button')}
        value={block.label}
        onValue={(label) => onChange('label', { label })}
      />
      <AddressField label={t('Goes to')} value={block.href} onValue={(href) => onChange('href', { href })} />
      <AlignField value={block.align ?? 'left'} onValue={(align) => onChange('align', { align })} />
      <ColourField
        {...{ label: t('Colour'), value: block.fill, standard: 'accent', use: 'background-color', theme }}
        onValue={colour('fill')}
      />
      <ColourField
        {...{ label: t('Colour of the words'), value: block.colour, standard: 'onAccent', use: 'color', theme, hint }}
        onValue={colour('colour')}
      />
      <div className="field-row">
        <NumberField
          label={t('High')}
          value={inset[0]}
          max={60}
          onValue={(high) => onChange('inset', { inset: [high, inset[1], high, inset[3]] })}
        />
        <NumberField
          label={t('Wide')}
          value={inset[1]}
          max={100}
          onValue={(wide) => onChange('inset', { inset: [inset[0], wide, inset[2], wide] })}
        />
        <NumberField
          label={t('Corner')}
          value={block.corners ?? theme.radius}
          max={60}
          onValue={(corners) => onChange('corners', { corners })}
        />
      </div>
      <Toggle
        label={t('Full width')}
        value={block.fullWidth ?? false}
        onValue={(fullWidth) => onChange('fullWidth', { fullWidth })}
      />
    </>
  )
}

function ImageFields({ block, onChange, onPick }: BlockFieldsProps<ImageBlock>) {
  const t = useText()
  const isMissing = block.alt.trim() === ''
  return (
    <>
      <Button size="small" icon={image} onClick={onPick}>
        {t('Choose an image')}
      </Button>
      <AddressField label={t('Address of the image')} value={block.src} onValue={(src) => onChange('src', { src })} />
      <TextField
        label={t('Text in place of the image')}
        value={block.alt}
        hint={isMissing ? t('Say what the image shows, for people who do not see it.') : undefined}
        onValue={(alt) => onChange('alt', { alt })}
      />
      <OptionalAddress value={block.href} onValue={(href) => onChange('href', { href })} />
      <NumberField
        label={t('Width')}
        value={block.width ?? 600}
        min={16}
        max={720}
        onValue={(width) => onChange('width', { width })}
      />
      <AlignField value={block.align ?? 'left'} onValue={(align) => onChange('align', { align })} />
    </>
  )
}

/** An address that may be absent. */
function OptionalAddress({
  value,
  onValue,
}: {
  value: string | undefined
  onValue: (value: string | undefined) => void
}) {
  const t = useText()
  if (value !== undefined)
    return (
      <AddressField label={t('Goes to')} value={value} onValue={(text) => onValue(text === '' ? undefined : text)} />
    )
  return (
    <Button size="small" onClick={() => onValue(emptyAddress)}>
      {t('Add a link')}
    </Button>
  )
}

function HeadingFields(props: BlockFieldsProps<Block & { type: 'heading' }>) {
  const t = useText()
  const { block, onChange } = props
  return (
    <>
      <SelectField
        label={t('Level')}
        value={String(block.level)}
        options={[
          { value: '1', text: t('Title') },
          { value: '2', text: t('Heading') },
          { value: '3', text: t('Small heading') },
        ]}
        onValue={(level) => onChange('level', { level: Number(level) as 1 | 2 | 3 })}
      />
      <StyleFields
        {...(props as unknown as BlockFieldsProps)}
        style={block.style}
        standard="text"
        base={{ ...headingSizes[block.level], weight: 700 }}
      />
    </>
  )
}

/** Colour, size, weight and place of words. */
function StyleFields({
  style = {},
  standard,
  theme,
  background,
  base,
  onChange,
}: BlockFieldsProps & {
  style: TextStyle | undefined
  standard: Colour
  /** What the words have without a style of their own. */
  base: TextStyle
}) {
  const t = useText()
  const hint = useContrastHint(style.colour ?? standard, background, theme)
  const set = (key: string, change: TextStyle) => {
    const next = { ...style, ...change }
    onChange(key, { style: without(next) })
  }
  const size = (value: number) => {
    const ratio = (style.lineHeight ?? base.lineHeight ?? 26) / (style.size ?? base.size ?? 16)
    const { wide = {} } = style
    const { size: _size, lineHeight: _lineHeight, ...other } = wide
    set('size', { size: value, lineHeight: Math.round(value * ratio), wide: other })
  }
  return (
    <>
      <ColourField
        {...{ label: t('Colour'), value: style.colour, standard, use: 'color', theme, hint }}
        onValue={(colour) => set('colour', { colour } as TextStyle)}
      />
      <NumberField
        label={t('Size')}
        value={style.wide?.size ?? style.size ?? base.size ?? 16}
        min={8}
        max={200}
        onValue={size}
      />
      <AlignField value={style.align ?? 'left'} onValue={(align) => set('align', { align })} />
      <Toggle
        label={t('Bold')}
        value={(style.weight ?? base.weight) === 700}
        onValue={(isBold) => set('weight', { weight: isBold ? 700 : 400 })}
      />
    </>
  )
}

function ProductFields({ block, onChange }: BlockFieldsProps<ProductBlock>) {
  const t = useText()
  const { image: shown = { src: emptyAddress, alt: '' }, button } = block
  return (
    <>
      <TextField label={t('Name')} value={block.name} onValue={(name) => onChange('name', { name })} />
      <TextField
        label={t('Description')}
        value={block.description}
        onValue={(description) => onChange('description', { description })}
      />
      <TextField label={t('Price')} value={block.price} onValue={(price) => onChange('price', { price })} />
      <AddressField
        label={t('Address of the image')}
        value={shown.src}
        onValue={(src) => onChange('src', { image: { ...shown, src } })}
      />
      <TextField
        label={t('Text in place of the image')}
        value={shown.alt}
        onValue={(alt) => onChange('alt', { image: { ...shown, alt } })}
      />
      {button && (
        <>
          <TextField
            label={t('Words on the button')}
            value={button.label}
            onValue={(label) => onChange('label', { button: { ...button, label } })}
          />
          <AddressField
            label={t('Goes to')}
            value={button.href}
            onValue={(href) => onChange('href', { button: { ...button, href } })}
          />
        </>
      )}
    </>
  )
}

function DividerFields({ block, theme, onChange }: BlockFieldsProps<Block & { type: 'divider' }>) {
  const t = useText()
  const { line } = block
  return (
    <>
      <ColourField
        {...{ label: t('Colour'), value: line.colour, standard: 'line', use: 'border-color', theme }}
        onValue={(colour = 'line') => onChange('colour', { line: { ...line, colour } })}
      />
      <NumberField
        label={t('Thickness')}
        value={line.width}
        min={1}
        max={40}
        onValue={(width) => onChange('width', { line: { ...line, width } })}
      />
    </>
  )
}

function SpacerFields({ block, onChange }: BlockFieldsProps<Block & { type: 'spacer' }>) {
  const t = useText()
  return (
    <NumberField
      label={t('Height')}
      value={block.height}
      max={400}
      onValue={(height) => {
        const { height: _height, ...wide } = block.wide ?? {}
        onChange('height', { height, ...(block.wide && { wide }) })
      }}
    />
  )
}

function CodeField({ block, onChange }: BlockFieldsProps<Block & { type: 'html' }>) {
  const t = useText()
  return (
    <>
      <TextField
        label={t('Name')}
        value={block.name ?? ''}
        hint={t('Only you see it.')}
        onValue={(name) => onChange('name', { name })}
      />
      <details className="code-field">
        <summary>{t('Edit the code')}</summary>
        <TextArea
          label={t('Code')}
          rows={10}
          spellCheck={false}
          value={block.html}
          onValue={(html) => onChange('html', { html })}
        />
      </details>
    </>
  )
}
