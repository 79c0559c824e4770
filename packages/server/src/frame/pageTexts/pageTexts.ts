import type { FrameLanguage } from '@gatefold/protocol/frame'

/** Strings of the server's pages in English. */
const en = {
  'device.title': 'Is this you?',
  'device.lead': 'Somebody wants to log in as {email}.',
  'device.device': 'Device',
  'device.site': 'Site',
  'device.confirm': 'Yes, it’s me',
  'device.refuse': 'No, refuse',
  'device.refused': 'Refused',
  'device.refusedLead': 'Nobody was logged in. You can close this page.',
  'device.confirmed': 'Confirmed',
  'device.confirmedLead':
    'Go back to the page where you are logging in. We have mailed you a code.',
  'device.gone': 'The device has already been refused, or the link has expired. Log in again.',
  'remove.title': 'Remove this device?',
  'remove.lead': 'It is logged in to the wallet of {email}. Remove it if this was not you.',
  'remove.login': 'First login',
  'remove.remove': 'Remove the device',
  'remove.done': 'Device removed',
  'remove.doneLead':
    'It is logged out and can no longer sign by itself. Secure your email account, then log in and check your recovery methods. If somebody else used the wallet, move everything you own to another one.',
  'remove.signedOut': 'Device logged out',
  'remove.signedOutLead':
    'It is still on the list, because no other device can restore the wallet. Secure your email account, then log in on a device that you trust and remove it in the wallet’s settings. If somebody else used the wallet, move everything you own to another one.',
  'remove.gone': 'The device has already been removed, or 7 days have passed.',
  'undo.title': 'Undo the change?',
  'undo.lead': 'The wallet gets the address {email} back. All devices are logged out.',
  'undo.new': 'New address',
  'undo.undo': 'Undo the change',
  'undo.done': 'Change undone',
  'undo.doneLead': 'The wallet has the address {email} again. Log in with it.',
  'undo.gone': 'The change has already been undone, or 24 hours have passed.',
  'link.gone': 'This link has expired',
  'link.incomplete': 'The link is not complete.',
  'link.busy': 'Too many requests',
  'link.busyLead': 'Wait {seconds} s, then try again.',
  'link.failed': 'The server isn’t responding. Try again in a moment; nothing is done twice.',
  'link.unavailable': 'One moment',
  'link.unavailableLead':
    'The server isn’t ready. Reload this page in a moment; nothing is done twice.',
  'social.loading': 'One moment',
  'social.loadingLead': 'The login page opens here.',
  'social.expired': 'This login has expired',
  'social.expiredLead':
    'Close this window, go back to the page where you started, and log in again.',
  'social.done': 'Almost done',
  'social.doneLead': 'Go back to the page where you started. You can close this window.',
  'social.foreign': 'This login cannot be finished',
  'social.foreignLead': 'It goes to a different site from the one where you started.',
  'social.silentLead':
    'The page where you started does not respond. Close this window, go back to that page and log in again.',
  'social.aloneLead':
    'The browser has disconnected this window from the page where you started. Close it, then use another login method or another browser.',
} as const

export type PageTexts = Readonly<Record<keyof typeof en, string>>

const de: PageTexts = {
  'device.title': 'Bist du das?',
  'device.lead': 'Jemand möchte sich als {email} anmelden.',
  'device.device': 'Gerät',
  'device.site': 'Website',
  'device.confirm': 'Ja, das bin ich',
  'device.refuse': 'Nein, ablehnen',
  'device.refused': 'Abgelehnt',
  'device.refusedLead': 'Es wurde niemand angemeldet. Du kannst diese Seite schließen.',
  'device.confirmed': 'Bestätigt',
  'device.confirmedLead':
    'Kehre zu der Seite zurück, auf der du dich anmeldest. Wir haben dir einen Code gesendet.',
  'device.gone':
    'Das Gerät wurde schon abgelehnt, oder der Link ist abgelaufen. Melde dich noch einmal an.',
  'remove.title': 'Dieses Gerät entfernen?',
  'remove.lead':
    'Es ist bei der Wallet von {email} angemeldet. Entferne es, wenn du das nicht warst.',
  'remove.login': 'Erste Anmeldung',
  'remove.remove': 'Gerät entfernen',
  'remove.done': 'Gerät entfernt',
  'remove.doneLead':
    'Es ist abgemeldet und kann nicht mehr allein unterschreiben. Sichere dein E-Mail-Konto, melde dich dann an und prüfe deine Methoden zur Wiederherstellung. Wenn jemand anderes die Wallet benutzt hat, übertrage alles, was dir gehört, in eine andere.',
  'remove.signedOut': 'Gerät abgemeldet',
  'remove.signedOutLead':
    'Es bleibt in der Liste, weil kein anderes Gerät die Wallet wiederherstellen kann. Sichere dein E-Mail-Konto, melde dich dann auf einem Gerät an, dem du vertraust, und entferne es in den Einstellungen der Wallet. Wenn jemand anderes die Wallet benutzt hat, übertrage alles, was dir gehört, in eine andere.',
  'remove.gone': 'Das Gerät wurde schon entfernt, oder 7 Tage sind vergangen.',
  'undo.title': 'Änderung rückgängig machen?',
  'undo.lead': 'Die Wallet bekommt die Adresse {email} zurück. Alle Geräte werden abgemeldet.',
  'undo.new': 'Neue Adresse',
  'undo.undo': 'Änderung rückgängig machen',
  'undo.done': 'Änderung rückgängig gemacht',
  'undo.doneLead': 'Die Wallet hat wieder die Adresse {email}. Melde dich damit an.',
  'undo.gone': 'Die Änderung wurde schon rückgängig gemacht, oder 24 Stunden sind vergangen.',
  'link.gone': 'Dieser Link ist abgelaufen',
  'link.incomplete': 'Der Link ist unvollständig.',
  'link.busy': 'Zu viele Anfragen',
  'link.busyLead': 'Warte {seconds} s und versuche es dann erneut.',
  'link.failed':
    'Der Server antwortet nicht. Versuche es gleich noch einmal; nichts geschieht doppelt.',
  'link.unavailable': 'Einen Moment',
  'link.unavailableLead':
    'Der Server ist noch nicht bereit. Lade diese Seite gleich neu; nichts geschieht doppelt.',
  'social.loading': 'Einen Moment',
  'social.loadingLead': 'Die Anmeldeseite öffnet sich hier.',
  'social.expired': 'Diese Anmeldung ist abgelaufen',
  'social.expiredLead':
    'Schließe dieses Fenster, kehre zu der Seite zurück, auf der du begonnen hast, und melde dich noch einmal an.',
  'social.done': 'Fast fertig',
  'social.doneLead':
    'Kehre zu der Seite zurück, auf der du begonnen hast. Du kannst dieses Fenster schließen.',
  'social.foreign': 'Diese Anmeldung kann nicht abgeschlossen werden',
  'social.foreignLead': 'Sie führt zu einer anderen Website als der, auf der sie begonnen wurde.',
  'social.silentLead':
    'Die Seite, auf der du begonnen hast, antwortet nicht. Schließe dieses Fenster, kehre zu der Seite zurück und melde dich noch einmal an.',
  'social.aloneLead':
    'Der Browser hat dieses Fenster von der Seite getrennt, auf der du begonnen hast. Schließe es und melde dich auf anderem Weg oder mit einem anderen Browser an.',
}

const ar: PageTexts = {
  'device.title': 'هل هذا أنت؟',
  'device.lead': 'يريد شخص ما تسجيل الدخول باسم {email}.',
  'device.device': 'الجهاز',
  'device.site': 'الموقع',
  'device.confirm': 'نعم، هذا أنا',
  'device.refuse': 'لا، رفض',
  'device.refused': 'تم الرفض',
  'device.refusedLead': 'لم يُسجَّل دخول أحد. يمكنك إغلاق هذه الصفحة.',
  'device.confirmed': 'تم التأكيد',
  'device.confirmedLead': 'ارجع إلى الصفحة التي تسجّل الدخول فيها. أرسلنا إليك رمزًا بالبريد.',
  'device.gone': 'سبق رفض الجهاز أو انتهت صلاحية الرابط. سجّل الدخول مرة أخرى.',
  'remove.title': 'هل تريد إزالة هذا الجهاز؟',
  'remove.lead': 'سجّل هذا الجهاز الدخول إلى محفظة {email}. أزله إن لم تكن أنت.',
  'remove.login': 'أول تسجيل دخول',
  'remove.remove': 'إزالة الجهاز',
  'remove.done': 'أُزيل الجهاز',
  'remove.doneLead':
    'سُجّل خروجه ولم يعد يستطيع التوقيع وحده. أمّن حساب بريدك الإلكتروني، ثم سجّل الدخول وتحقق من طرق الاسترداد. إن استخدم شخص آخر المحفظة فانقل كل ما تملكه إلى محفظة أخرى.',
  'remove.signedOut': 'سُجّل خروج الجهاز',
  'remove.signedOutLead':
    'يبقى في القائمة لأن أي جهاز آخر لا يستطيع استرداد المحفظة. أمّن حساب بريدك الإلكتروني، ثم سجّل الدخول على جهاز تثق به وأزله في إعدادات المحفظة. إن استخدم شخص آخر المحفظة فانقل كل ما تملكه إلى محفظة أخرى.',
  'remove.gone': 'سبقت إزالة الجهاز أو مرّت 7 أيام.',
  'undo.title': 'هل تريد التراجع عن التغيير؟',
  'undo.lead': 'تستعيد المحفظة العنوان {email}. يُسجَّل خروج كل الأجهزة.',
  'undo.new': 'العنوان الجديد',
  'undo.undo': 'التراجع عن التغيير',
  'undo.done': 'تم التراجع عن التغيير',
  'undo.doneLead': 'عاد العنوان {email} إلى المحفظة. سجّل الدخول به.',
  'undo.gone': 'سبق التراجع عن التغيير أو مرّت 24 ساعة.',
  'link.gone': 'انتهت صلاحية هذا الرابط',
  'link.incomplete': 'الرابط غير مكتمل.',
  'link.busy': 'طلبات كثيرة جدًا',
  'link.busyLead': 'انتظر {seconds} ثانية، ثم حاول مرة أخرى.',
  'link.failed': 'الخادم لا يستجيب. حاول مرة أخرى بعد قليل؛ لن يُنفَّذ شيء مرتين.',
  'link.unavailable': 'لحظة',
  'link.unavailableLead': 'الخادم ليس جاهزًا. أعد تحميل هذه الصفحة بعد قليل؛ لن يُنفَّذ شيء مرتين.',
  'social.loading': 'لحظة',
  'social.loadingLead': 'تُفتح صفحة تسجيل الدخول هنا.',
  'social.expired': 'انتهت صلاحية تسجيل الدخول هذا',
  'social.expiredLead': 'أغلق هذه النافذة وارجع إلى الصفحة التي بدأت منها وسجّل الدخول مرة أخرى.',
  'social.done': 'أوشكت على الانتهاء',
  'social.doneLead': 'ارجع إلى الصفحة التي بدأت منها. يمكنك إغلاق هذه النافذة.',
  'social.foreign': 'لا يمكن إتمام تسجيل الدخول هذا',
  'social.foreignLead': 'يؤدي إلى موقع آخر غير الذي بدأ منه.',
  'social.silentLead':
    'الصفحة التي بدأت منها لا تستجيب. أغلق هذه النافذة وارجع إلى تلك الصفحة وسجّل الدخول مرة أخرى.',
  'social.aloneLead':
    'فصل المتصفح هذه النافذة عن الصفحة التي بدأت منها. أغلقها وسجّل الدخول بطريقة أخرى أو بمتصفح آخر.',
}

/** The strings of the server's pages, by language. */
export const pageTexts: Readonly<Record<FrameLanguage, PageTexts>> = { en, de, ar }
