use super::*;
use crate::guard::fake::{Fake, row, site, vpg};
use crate::zvm::error::ZvmErrorKind;
use crate::zvm::model::SiteRef;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ID_1: &str = "11111111-2222-3333-4444-555555555555.vm-1";

fn boxed(fakes: &[&Arc<Fake>]) -> Vec<Box<dyn Appliance>> {
    fakes.iter().map(|fake| Box::new(Arc::clone(fake)) as Box<dyn Appliance>).collect()
}

fn hosts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

/// The VM's identifier that the target means.
fn means(target: &str, map: &[(&str, &str)], fakes: &[&Arc<Fake>]) -> Result<String, GuardError> {
    let (map, appliances) = (hosts(map), boxed(fakes));
    let survey = Survey::of(&[target.to_owned()], &map, &appliances)?;
    survey.vm(target).map(|vm| vm.identifier)
}

/// The VPGs of the target, as `name@zvm`, with `!` where it can't be tagged.
fn protected(target: &str, fakes: &[&Arc<Fake>]) -> Vec<String> {
    let (map, appliances) = (hosts(&[]), boxed(fakes));
    let survey = Survey::of(&[target.to_owned()], &map, &appliances).unwrap();
    let vm = survey.vm(target).unwrap();
    let protections = survey.protections(&[vm]).unwrap();
    protections
        .iter()
        .map(|p| format!("{}{}@{}", if p.why_not.is_some() { "!" } else { "" }, p.vpg.name, survey.name(p.zvm)))
        .collect()
}

#[test]
fn each_way_to_name_a_vm() {
    let fake = Fake::with_web01(&["a", "b"]);
    fake.protect("web011", 2, "c");
    fake.protect("db01.corp.example", 3, "d");
    fake.protect("10.9.9.9", 4, "e");
    fake.change(|world| world.rows[0].addresses = vec!["10.20.0.11".to_owned(), "FE80::1".to_owned()]);
    for (target, number) in [
        ("web01", 1),
        ("WEB01", 1),
        ("web01.corp.example", 1),
        ("web01.corp.example.", 1),
        (ID_1, 1),
        (&ID_1.to_uppercase(), 1),
        ("10.20.0.11", 1),
        ("fe80:0::1", 1),
        ("[fe80::1]", 1),
        ("db01.corp.example", 3),
        ("10.9.9.9", 4),
        ("shop", 3),
        ("10.0.0.1", 1),
    ] {
        let map = [("shop", "DB01.corp.example"), ("10.0.0.1", ID_1)];
        let found = means(target, &map, &[&fake]).unwrap();
        assert!(found.ends_with(&format!(".vm-{number}")), "{target}: {found}");
    }
    for target in ["web0", "db01", "db01.corp", "web01.", "nothing", "10.20.0.1", "corp.example"] {
        let found = means(target, &[], &[&fake]);
        assert_eq!(found.is_ok(), target == "web01.", "{target}: {found:?}");
    }
}

#[test]
fn a_whole_name_goes_before_a_short_one() {
    let fake = Fake::with_web01(&["a"]);
    fake.protect("web01.corp.example", 2, "b");
    assert!(means("web01.corp.example", &[], &[&fake]).unwrap().ends_with("vm-2"));
    // Also where it is protected elsewhere: another machine must not be tagged in its stead.
    fake.change(|world| world.rows[1].protected_here = Some(false));
    assert!(matches!(means("web01.corp.example", &[], &[&fake]), Err(GuardError::NotProtected { .. })));
}

#[test]
fn the_inventory_is_listed_once_and_only_for_an_address() {
    let fake = Fake::with_web01(&["a"]);
    let map = hosts(&[]);
    let targets: Vec<String> = ["web01", "10.1.1.1", "10.1.1.2", "web01"].map(str::to_owned).to_vec();
    Survey::of(&targets, &map, &boxed(&[&fake])).unwrap();
    assert_eq!(fake.calls("inventory").len(), 1);
    assert_eq!(fake.calls("named web01").len(), 1);
    let fake = Fake::with_web01(&["a"]);
    Survey::of(&targets[..1], &map, &boxed(&[&fake])).unwrap();
    assert_eq!(fake.calls("inventory").len(), 0);
}

#[test]
fn the_row_with_the_address_is_not_the_only_one() {
    let fake = Fake::with_web01(&["a", "b", "c"]);
    fake.change(|world| world.rows[1].addresses = vec!["10.20.0.11".to_owned()]);
    assert_eq!(protected("10.20.0.11", &[&fake]), ["a@nyc", "b@nyc", "c@nyc"]);
}

#[test]
fn two_vms_of_one_name_are_listed() {
    let fake = Fake::with_web01(&["a"]);
    fake.protect("Web01", 2, "b");
    let error = means("web01", &[], &[&fake]).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert_eq!(
        error.to_string(),
        format!(
            "\"web01\" is more than one VM:\n  \"web01\", vmIdentifier {ID_1}, VPG \"a\", ZVM nyc\n  \"Web01\", vmIdentifier {}, VPG \"b\", ZVM nyc",
            ID_1.replace("vm-1", "vm-2")
        )
    );
    assert!(error.hint().contains("vmIdentifier"));
    assert!(means(ID_1, &[], &[&fake]).is_ok());
    // Two ZVMs, each with its own, too.
    let (nyc, bos) = (Fake::with_web01(&["a"]), Fake::new("bos"));
    bos.protect("web01", 9, "z");
    assert!(matches!(means("web01", &[], &[&nyc, &bos]), Err(GuardError::Ambiguous { .. })));
}

#[test]
fn one_vm_seen_by_both_of_its_sites() {
    let (nyc, bos) = (Fake::with_web01(&["a"]), Fake::new("bos"));
    bos.protect("web01", 1, "a");
    bos.change(|world| world.rows[0].protected_here = Some(false));
    assert_eq!(protected("web01", &[&bos, &nyc]), ["a@nyc"]);
    assert_eq!(bos.calls("vpg").len(), 0);
}

#[test]
fn where_it_cannot_be_told_the_vpg_tells() {
    let (nyc, bos) = (Fake::with_web01(&["a"]), Fake::new("bos"));
    bos.protect("web01", 1, "a");
    for fake in [&nyc, &bos] {
        fake.change(|world| world.rows[0].protected_here = None);
    }
    bos.vpg_is("a", |vpg| {
        vpg.protected_site.local = None;
        vpg.protected_site.identifier = Some("site-nyc".to_owned());
    });
    assert_eq!(protected("web01", &[&bos, &nyc]), ["a@nyc"]);
    // Told by neither: the first one's, and the insert will judge.
    nyc.vpg_is("a", |vpg| vpg.protected_site = SiteRef::default());
    bos.vpg_is("a", |vpg| vpg.protected_site = SiteRef::default());
    assert_eq!(protected("web01", &[&bos, &nyc]), ["a@bos"]);
    // One that is sure goes before one that is not.
    nyc.change(|world| world.rows[0].protected_here = Some(true));
    assert_eq!(protected("web01", &[&bos, &nyc]), ["a@nyc"]);
}

#[test]
fn protected_elsewhere_names_the_site() {
    let bos = Fake::new("bos");
    bos.protect("web01", 1, "a");
    bos.change(|world| world.rows[0].protected_here = Some(false));
    let error = means("web01", &[], &[&bos]).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert_eq!(
        error.to_string(),
        "\"web01\" is protected, but not at the site of a configured ZVM (bos):\n  VM \"web01\" in VPG \"a\" (listed by ZVM bos) is protected at site \"nyc-site\"; a tag has to be inserted at that site's ZVM."
    );
    assert!(error.hint().contains("Add the ZVM"));
    // A public cloud: its ZVM would not help, whatever says that it is one.
    for (entity, in_azure, kind) in [
        (Some(EntityType::PublicCloud("AWS".to_owned())), false, "a public cloud (AWS)"),
        (Some(EntityType::Other("5".to_owned())), true, "a public cloud (Azure)"),
        (None, true, "a public cloud (Azure)"),
    ] {
        bos.vpg_is("a", |vpg| vpg.protected_entity = entity.clone());
        bos.change(|world| world.rows[0].in_azure = in_azure);
        let error = means("web01", &[], &[&bos]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(kind) && text.contains("use the ZVM of the vSphere site"), "{text}");
        assert!(
            error.hint().starts_with("Use the vSphere site's ZVM") && !error.hint().contains("Add"),
            "{}",
            error.hint()
        );
    }
    bos.vpg_is("a", |vpg| vpg.protected_entity = Some(EntityType::Other("5".to_owned())));
    bos.change(|world| world.rows[0].in_azure = false);
    let error = means("web01", &[], &[&bos]).unwrap_err();
    assert!(error.to_string().contains("a kind that this tool does not know (5)"), "{error}");
    assert!(error.hint().contains("If that site is Azure or AWS") && error.hint().contains("Add the ZVM"));
    bos.change(|world| world.vpgs.clear());
    assert!(means("web01", &[], &[&bos]).unwrap_err().to_string().contains("another site"));
}

#[test]
fn not_protected_says_what_was_looked_for_and_where() {
    let error = means("db01.corp", &[], &[&Fake::with_web01(&["a"]), &Fake::new("bos")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "No VM for \"db01.corp\" is protected by a VPG of the configured ZVMs (nyc, bos); looked for the VM name \"db01.corp\", the VM name \"db01\"."
    );
    assert_eq!(error.exit_code(), 3);
    assert!(error.hint().contains("[hosts]"));
}

#[test]
fn each_zvm_has_to_answer() {
    for verb in ["named", "site", "time"] {
        for (kind, exit) in [
            (ZvmErrorKind::Unreachable, 6),
            (ZvmErrorKind::Untrusted, 6),
            (ZvmErrorKind::Login, 6),
            (ZvmErrorKind::Forbidden, 6),
            (ZvmErrorKind::Nonsense, 1),
            (ZvmErrorKind::Deadline, 1),
        ] {
            let (nyc, bos) = (Fake::with_web01(&["a"]), Fake::new("bos"));
            bos.change(|world| world.faults.insert(verb, kind));
            let error = means("web01", &[], &[&nyc, &bos]).unwrap_err();
            assert_eq!(error.exit_code(), exit, "{verb} {kind:?}");
            assert_eq!(matches!(error, GuardError::Late { .. }), kind == ZvmErrorKind::Deadline);
        }
    }
}

#[test]
fn a_vpg_that_cannot_be_read_is_an_error() {
    let fake = Fake::with_web01(&["a", "b"]);
    fake.change(|world| world.vpgs.pop());
    let (map, appliances) = (hosts(&[]), boxed(&[&fake]));
    let survey = Survey::of(&["web01".to_owned()], &map, &appliances).unwrap();
    let vm = survey.vm("web01").unwrap();
    assert!(matches!(survey.protections(&[vm]), Err(GuardError::Zvm(_))));
}

#[test]
fn rows_without_identifiers_are_an_error() {
    for broken in [0, 1] {
        let fake = Fake::with_web01(&["a"]);
        fake.change(|world| match broken {
            0 => world.rows[0].identifier.clear(),
            _ => world.rows[0].vpg_identifier.clear(),
        });
        let error = means("web01", &[], &[&fake]).unwrap_err();
        assert!(error.to_string().contains("without the identifier"), "{error}");
    }
}

#[test]
fn all_are_asked_at_the_same_time() {
    // A busy machine can only make it longer: the best of some tries is what the program does.
    let took = || {
        let fakes: Vec<Arc<Fake>> = ["a", "b", "c"].map(Fake::new).to_vec();
        for fake in &fakes {
            fake.change(|world| world.takes = Duration::from_millis(300));
        }
        let begun = Instant::now();
        let fakes: Vec<&Arc<Fake>> = fakes.iter().collect();
        assert!(means("web01.corp", &[], &fakes).is_err());
        begun.elapsed()
    };
    assert!((0..3).any(|_| took() < Duration::from_millis(590)));
}

#[test]
fn no_zvm() {
    assert_eq!(means("web01", &[], &[]), Err(GuardError::NoZvm));
}

#[test]
fn two_vms_in_one_vpg_make_one_protection() {
    let fake = Fake::with_web01(&["shared", "own"]);
    fake.protect("web02", 2, "shared");
    let (map, appliances) = (hosts(&[]), boxed(&[&fake]));
    let targets = ["web01".to_owned(), "web02".to_owned()];
    let survey = Survey::of(&targets, &map, &appliances).unwrap();
    let vms: Vec<Vm> = targets.iter().map(|target| survey.vm(target).unwrap()).collect();
    let protections = survey.protections(&vms).unwrap();
    assert_eq!(protections.iter().map(|p| p.vpg.name.as_str()).collect::<Vec<_>>(), ["shared", "own"]);
    assert!(vms[1].is_in(&vpg("shared")) && !vms[1].is_in(&vpg("own")));
    let _ = (row("x", 1, "y"), site("z"));
}

#[test]
fn one_identifier_at_two_appliances_is_not_one_vm() {
    let (nyc, lon) = (Fake::with_web01(&["a"]), Fake::new("lon"));
    lon.protect("lon01", 1, "b");
    let (map, appliances) = (hosts(&[]), boxed(&[&nyc, &lon]));
    let targets = ["web01".to_owned(), "lon01".to_owned()];
    let survey = Survey::of(&targets, &map, &appliances).unwrap();
    let vms: Vec<Vm> = targets.iter().map(|target| survey.vm(target).unwrap()).collect();
    assert!(!vms[0].is(&vms[1].identifier, &vms[1].name));
    assert_eq!((vms[0].rows.len(), vms[1].rows.len()), (1, 1));
    assert!(matches!(means(ID_1, &[], &[&nyc, &lon]), Err(GuardError::Ambiguous { .. })));
}
