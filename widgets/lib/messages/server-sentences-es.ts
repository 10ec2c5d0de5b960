import type { Catalogue } from './messages.ts'

/** Sentences of the server and of a session in Spanish; `{}` is what the server puts in. */
export const sentences = {
  'The body is not valid JSON. Send one JSON object in UTF-8.':
    'El cuerpo no es JSON válido. Envíe un objeto JSON en UTF-8.',
  'The mail server refused this address and app password. Check both.':
    'El servidor de correo ha rechazado esta dirección y su contraseña de aplicación. Revise ambas.',
  'The mail server cannot be reached. Check its host, port and security.':
    'No se puede acceder al servidor de correo. Revise el servidor, el puerto y la seguridad.',
  'This code has ended, was used already, or is another page’s. Ask for consent again.':
    'Este código ha caducado, ya se ha usado o es de otra página. Pida de nuevo el consentimiento.',
  'The API key is missing, unknown or revoked. Send one in the x-api-key header.':
    'La clave de la API falta, es desconocida o se ha revocado. Envíe una en la cabecera x-api-key.',
  'Sign in first: the access token is missing, has ended or was revoked.':
    'Inicie sesión primero: el token de acceso falta, ha caducado o se ha revocado.',
  'This embed session has ended or was revoked. Open a new one.':
    'La sesión de esta página ha terminado o se ha revocado. Abra otra.',
  'Confirm your email address first: open the link in the mail we sent you.':
    'Confirme primero su dirección de correo: abra el enlace del correo que le enviamos.',
  'An access token must not be used in another site’s page. Use an embed session there.':
    'Un token de acceso no debe usarse en la página de otro sitio. Use allí una sesión propia de la página.',
  'An embed session may not do this.': 'Desde esta página no se puede hacer esto.',
  'This page’s origin is not among the allowed origins of the embed. Add it in the dashboard, under Embeds.':
    'El origen de esta página no está entre los permitidos. Añádalo en el panel, en Embeds.',
  'This API key may not do this in this collection.': 'Esta clave de la API no puede hacer esto en esta colección.',
  'No email configuration matches. Check the secret key or the id.':
    'Ninguna configuración de correo coincide. Revise la clave secreta o el identificador.',
  'No message has this id.': 'Ningún mensaje tiene este identificador.',
  'No template has this template_key. Check its spelling, or send content instead.':
    'Ninguna plantilla tiene esta template_key. Revise cómo está escrita o envíe el contenido.',
  'No template has this id.': 'Ninguna plantilla tiene este identificador.',
  'No embed has this id.': 'No existe ningún embed con este identificador.',
  'No document has this id in this collection.': 'Ningún documento de esta colección tiene este identificador.',
  'A call with this Idempotency-Key is under way. Repeat it in a moment.':
    'La misma petición está en curso. Repítala en un momento.',
  'This mailbox is paused. Connect it again before you send.':
    'Este buzón está en pausa. Conéctelo de nuevo antes de enviar.',
  'You do not have the permission for this. Ask an owner or admin of the workspace.':
    'No tienes permiso para esto. Pídelo a un propietario o administrador del espacio de trabajo.',
  'This embed is paused. Its owner can resume it in the dashboard.':
    'Este embed está en pausa. Su dueño puede reanudarlo en el panel.',
  'There are 10,000 templates already. Delete one before you save another.':
    'Ya hay 10.000 plantillas. Elimine una antes de guardar otra.',
  'The body is larger than 1 MB. Send less at once.': 'El contenido supera 1 MB. Envíe menos de una vez.',
  'Send the body as application/json, without compression.': 'Envíe el cuerpo como application/json, sin comprimir.',
  'The request does not have the expected shape.': 'La petición no tiene la forma esperada.',
  'This Idempotency-Key was used for another call. Use a new key for a new call.':
    'Esta Idempotency-Key se usó en otra petición. Use una clave nueva para cada petición.',
  'Too many attempts. Wait a while, then try again.': 'Demasiados intentos. Espere un rato e inténtelo de nuevo.',
  'Too many calls. Wait a moment, then go on more slowly.':
    'Demasiadas peticiones. Espere un momento y siga más despacio.',
  'This embed has sent as much as it may. Its owner can raise the limit.':
    'Desde aquí ya se ha enviado todo lo permitido. El dueño puede ampliar el límite.',
  'Too many mails are waiting to be sent. Try again when some have left.':
    'Hay demasiados correos en espera. Inténtelo de nuevo cuando hayan salido algunos.',
  'Something went wrong on our side. Try again in a moment.':
    'Algo ha fallado por nuestra parte. Inténtelo de nuevo en un momento.',
  'The mail server refused the message for every recipient.':
    'El servidor de correo ha rechazado el mensaje para todos los destinatarios.',
  'The hosted data backend cannot be reached. Try again in a moment.':
    'No se puede acceder al servicio de datos. Inténtelo de nuevo en un momento.',
  'The list took too long. Add a filter on equality, or ask for fewer documents.':
    'La lista ha tardado demasiado. Añada un filtro de igualdad o pida menos documentos.',
  'The database is away for a moment. Try again in a few seconds.':
    'La base de datos no está disponible por un momento. Inténtelo de nuevo en unos segundos.',
  'The service is starting or stopping. Try again in a moment.':
    'El servicio está arrancando o parando. Inténtelo de nuevo en un momento.',
  'This session has sent as much as it may.': 'Esta sesión ya ha enviado todo lo permitido.',
  'This embed has sent as much as it may today.': 'Hoy ya se ha enviado desde aquí todo lo permitido.',
  'This mailbox is connected already, and this embed may not use it.':
    'Este buzón ya está conectado y no puede usarse desde aquí.',
  'This embed session does not have the scope {}.': 'Esta sesión no tiene el permiso {}.',
  'The mailbox {} is paused. {}': 'El buzón {} está en pausa. {}',
  'Somebody of this workspace paused it.': 'Lo ha pausado alguien de este espacio de trabajo.',
  '{} The mail server said: “{}”': '{} El servidor de correo dijo: «{}»',
  'The app password has a line break or a control character in it; copy it again.':
    'La contraseña de aplicación contiene un salto de línea o un carácter de control; cópiela de nuevo.',
  'Gmail refused this app password. Turn on 2-Step Verification for the Google account, make an app password at https://myaccount.google.com/apppasswords and paste it here: the ordinary password does not work.':
    'Gmail ha rechazado esta contraseña de aplicación. Active la verificación en dos pasos de la cuenta de Google, cree una contraseña de aplicación en https://myaccount.google.com/apppasswords y péguela aquí: la contraseña normal no sirve.',
  'Google holds this sign-in back. Sign in to the account in a browser, confirm that it was you, then connect it again with an app password from https://myaccount.google.com/apppasswords.':
    'Google retiene este inicio de sesión. Inicie sesión en la cuenta con un navegador, confirme que fue usted y conéctela de nuevo con una contraseña de aplicación de https://myaccount.google.com/apppasswords.',
  'Microsoft ended app passwords for personal Outlook, Hotmail, Live and MSN accounts on 16 September 2024 and accepts only its own sign-in (OAuth) there, which needs no app password: connect the mailbox by signing in with Microsoft where this server offers it, or use one of another provider.':
    'Microsoft retiró el 16 de septiembre de 2024 las contraseñas de aplicación de las cuentas personales de Outlook, Hotmail, Live y MSN, y allí solo acepta su propio inicio de sesión (OAuth), que no necesita contraseña de aplicación: conecte el buzón iniciando sesión con Microsoft donde este servidor lo ofrezca, o use el de otro proveedor.',
  'This Microsoft 365 organisation does not let mailboxes sign in to SMTP with a password. Ask its administrator to allow “Authenticated SMTP” for this mailbox; where Microsoft has ended passwords altogether only its own sign-in (OAuth) works: connect the mailbox by signing in with Microsoft where this server offers it.':
    'Esta organización de Microsoft 365 no permite que los buzones inicien sesión en SMTP con una contraseña. Pida a su administrador que permita «SMTP autenticado» para este buzón; donde Microsoft ya ha retirado las contraseñas solo funciona su propio inicio de sesión (OAuth): conecte el buzón iniciando sesión con Microsoft donde este servidor lo ofrezca.',
  'Microsoft refused this address and app password. Make an app password under Security info at https://mysignins.microsoft.com/security-info, and have an administrator allow “Authenticated SMTP” for the mailbox.':
    'Microsoft ha rechazado esta dirección y su contraseña de aplicación. Cree una en Información de seguridad, https://mysignins.microsoft.com/security-info, y pida a un administrador que permita «SMTP autenticado» para el buzón.',
  'Yahoo refused this app password. Make one at https://login.yahoo.com/account/security under “Generate app password” and paste it here: the ordinary password does not work.':
    'Yahoo ha rechazado esta contraseña de aplicación. Cree una en https://login.yahoo.com/account/security, en «Generar contraseña de aplicación», y péguela aquí: la contraseña normal no sirve.',
  'The mail server refused this address and password. Check both; many providers want an app password, made in the account’s security settings, in place of the ordinary one.':
    'El servidor de correo ha rechazado esta dirección y su contraseña. Revise ambas; muchos proveedores piden una contraseña de aplicación, creada en la configuración de seguridad de la cuenta, en lugar de la normal.',
  'The mail server did not take the sign-in for this address. Sign in at the provider with exactly this mailbox, and have an administrator allow “Authenticated SMTP” where it is an organisation’s.':
    'El servidor de correo no ha aceptado el inicio de sesión de esta dirección. Inicie sesión en el proveedor con exactamente este buzón y, si es de una organización, pida a un administrador que permita «SMTP autenticado».',
  'The provider has ended the permission to send from this mailbox: it was withdrawn, its password was changed, or it was not used for long. Connect the mailbox again at its provider.':
    'El proveedor ha puesto fin al permiso para enviar desde este buzón: se retiró, cambió su contraseña o no se usó durante mucho tiempo. Conecte de nuevo el buzón en su proveedor.',
  'This server is no longer set up to sign in with the mailbox’s provider. Its operator has to set it up again, or connect the mailbox with an app password.':
    'Este servidor ya no está preparado para iniciar sesión con el proveedor del buzón. Quien lo gestiona debe prepararlo de nuevo o conectar el buzón con una contraseña de aplicación.',
  'The mail server has seen too many sign-ins for this mailbox. Wait an hour, then connect it again.':
    'El servidor de correo ha visto demasiados inicios de sesión de este buzón. Espere una hora y conéctelo de nuevo.',
  'The mail server cannot take this sign-in right now. Try again in a few minutes.':
    'El servidor de correo no puede atender ahora este inicio de sesión. Inténtelo de nuevo en unos minutos.',
  'This mail server offers no sign-in on this port. Check “Port” and “Security”: 465 with TLS, or 587 with STARTTLS.':
    'Este servidor de correo no ofrece inicio de sesión en este puerto. Revise el puerto y su seguridad: 465 con tls, o 587 con starttls.',
  'The mail server turned the connection away before the sign-in. Try again later; if that does not help, ask its operator why.':
    'El servidor de correo ha rechazado la conexión antes del inicio de sesión. Inténtelo más tarde; si no ayuda, pregunte el motivo a quien lo gestiona.',
  'No public mail server has this name. Check the spelling in “Mail server” and give the name that the provider publishes.':
    'Ningún servidor de correo público tiene este nombre. Revise cómo está escrito el servidor e indique el nombre que publica el proveedor.',
  'The name of the mail server could not be looked up right now. Try again in a few minutes.':
    'Ahora no se ha podido buscar el nombre del servidor de correo. Inténtelo de nuevo en unos minutos.',
  'Mail servers take mail for sending on port 465 (TLS) or 587 (STARTTLS) only. Set “Port” to one of them.':
    'El correo solo se entrega por el puerto 465 (tls) o 587 (starttls). Elija uno de ellos.',
  'App passwords are never sent without encryption. Set “Security” to TLS (port 465) or STARTTLS (port 587).':
    'Las contraseñas de aplicación nunca se envían sin cifrar. Elija la seguridad tls (puerto 465) o starttls (puerto 587).',
  'Fill in “Mail server” for a mailbox of another provider.':
    'Indique el servidor de correo para un buzón de otro proveedor.',
  'The mail server does not accept connections on this port. Check “Mail server” and “Port”: 465 with TLS, or 587 with STARTTLS.':
    'El servidor de correo no acepta conexiones en este puerto. Revise el servidor y el puerto: 465 con tls, o 587 con starttls.',
  'The mail server did not answer in time. Check “Mail server” and “Port”; some networks block outgoing mail ports.':
    'El servidor de correo no ha respondido a tiempo. Revise el servidor y el puerto; algunas redes bloquean los puertos de correo saliente.',
  'The mail server does not offer encryption (STARTTLS) on this port, so the app password was not sent. Try port 465 with TLS.':
    'El servidor de correo no ofrece cifrado (STARTTLS) en este puerto, así que no se ha enviado la contraseña de aplicación. Pruebe el puerto 465 con tls.',
  'The mail server does not use TLS on this port in this way. Set “Security” to TLS with port 465, to STARTTLS with port 587.':
    'El servidor de correo no habla TLS de este modo en este puerto. Use tls con el puerto 465, starttls con el puerto 587.',
  'The mail server’s certificate is not signed by an authority that is trusted here, so the app password was not sent. Its operator must install a valid certificate.':
    'El certificado del servidor de correo no lo firma ninguna autoridad en la que se confíe aquí, así que no se ha enviado la contraseña de aplicación. Quien lo gestiona debe instalar un certificado válido.',
  'The mail server’s certificate has expired, so the app password was not sent. Its operator must renew it.':
    'El certificado del servidor de correo ha caducado, así que no se ha enviado la contraseña de aplicación. Quien lo gestiona debe renovarlo.',
  'The mail server’s certificate is for another name, so the app password was not sent. Set “Mail server” to the name that the provider gives for sending.':
    'El certificado del servidor de correo es de otro nombre, así que no se ha enviado la contraseña de aplicación. Indique el servidor con el nombre que da el proveedor para enviar.',
  'No secure connection to the mail server came about, so the app password was not sent. Check “Port” and “Security”.':
    'No se ha logrado una conexión segura con el servidor de correo, así que no se ha enviado la contraseña de aplicación. Revise el puerto y la seguridad.',
  'The connection to the mail server broke. Try again; if it happens each time, check “Mail server” and “Port”.':
    'Se ha cortado la conexión con el servidor de correo. Inténtelo de nuevo; si ocurre cada vez, revise el servidor y el puerto.',
  'The provider’s mail server cannot be reached from here. Try again in a few minutes; some networks block outgoing mail ports.':
    'Desde aquí no se puede llegar al servidor de correo del proveedor. Inténtelo de nuevo en unos minutos; algunas redes bloquean los puertos de correo saliente.',
  'No secure connection to the mail server came about, so the app password was not sent. Try again in a few minutes.':
    'No se ha logrado una conexión segura con el servidor de correo, así que no se ha enviado la contraseña de aplicación. Inténtelo de nuevo en unos minutos.',
  'The address’s domain names no mail server. Fill in “Mail server”: your provider’s help page gives it, such as smtp.example.com.':
    'El dominio de la dirección no indica ningún servidor de correo. Rellene «Servidor de correo»: lo da la página de ayuda de su proveedor, como smtp.example.com.',
  'Its stored secrets do not open with the server’s key. Connect it again with its app password.':
    'Sus secretos guardados no se abren con la clave del servidor. Conéctelo de nuevo con su contraseña de aplicación.',
  'The mailbox has reached its provider’s sending limit. Sending resumes automatically later.':
    'El buzón ha alcanzado el límite de envío de su proveedor. El envío continúa solo más tarde.',
  'The site answered something else than a session.': 'El sitio ha respondido algo que no es una sesión.',
  'This site does not let you in here. Sign in to it and try again.':
    'Este sitio no le permite entrar aquí. Inicie sesión en él e inténtelo de nuevo.',
  'This site gave no session to work with. Try again later.':
    'Este sitio no ha dado una sesión con la que trabajar. Inténtelo más tarde.',
  'The browser has blocked the sign-in window. Allow pop-ups for this site and try again.':
    'El navegador ha bloqueado la ventana de inicio de sesión. Permita las ventanas emergentes de este sitio e inténtelo de nuevo.',
  'The sign-in could not be finished. Check the connection.':
    'No se pudo completar el inicio de sesión. Compruebe la conexión.',
  'You did not allow this page to use your mailbox.': 'No ha permitido que esta página use su buzón.',
  'The sign-in window was closed or cut off. If it is still open, the owner of this site has to send the header Cross-Origin-Opener-Policy: same-origin-allow-popups.':
    'La ventana de inicio de sesión se ha cerrado o ha quedado aislada. Si sigue abierta, el dueño de este sitio debe enviar la cabecera Cross-Origin-Opener-Policy: same-origin-allow-popups.',
  'With its variables filled the mail is larger than 10 MB, or its subject longer than 998 characters.':
    'Con sus variables rellenas, el correo supera los 10 MB o su asunto los 998 caracteres.',
  'The body arrived too slowly: send at least 1 kB a second. Send it again over a faster connection.':
    'Los datos llegaron demasiado despacio: envíe al menos 1 kB por segundo. Vuelva a enviarlos con una conexión más rápida.',
  'Your address holds too many connections open. Close some, or use each for several calls.':
    'Su dirección mantiene demasiadas conexiones abiertas. Cierre algunas o use cada una para varias llamadas.',
  'Email sent successfully to {} recipients': 'Correo enviado a {} destinatarios',
  'Email sent successfully to {} recipient': 'Correo enviado a {} destinatario',
} as const satisfies Catalogue
