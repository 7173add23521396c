// Prints what @pixiv/three-vrm makes of the chain in spring_bones_test.cpp: the tails at the end of each second.
//   npm install @pixiv/three-vrm three && node three_vrm.mjs [--hold-lengths]
import {VRMSpringBoneCollider, VRMSpringBoneColliderShapeCapsule, VRMSpringBoneColliderShapeSphere, VRMSpringBoneJoint, VRMSpringBoneManager} from '@pixiv/three-vrm';
import * as THREE from 'three';

const root = new THREE.Object3D();
const chain = [root];
for (let i = 0; i < 5; ++i) {
    const bone = new THREE.Object3D();
    bone.position.set(i === 0 ? 0.1 : 0.02, i === 0 ? 1.4 : -0.1, i === 0 ? 0 : -0.01);
    bone.quaternion.setFromEuler(new THREE.Euler(0.1 * i, 0.05 * i, 0));
    chain.at(-1).add(bone);
    chain.push(bone);
}
const ball = new VRMSpringBoneCollider(
    new VRMSpringBoneColliderShapeSphere({offset: new THREE.Vector3(0.1, 1.2, 0.12), radius: 0.1}));
const rod = new VRMSpringBoneCollider(new VRMSpringBoneColliderShapeCapsule(
    {offset: new THREE.Vector3(-0.15, 1.3, 0), tail: new THREE.Vector3(-0.15, 0.9, 0), radius: 0.08}));
root.add(ball, rod);
root.updateMatrixWorld(true);
const manager = new VRMSpringBoneManager();
const joints = [];
for (let i = 1; i < 5; ++i) {
    const settings =
        {hitRadius: 0.02, stiffness: 0.6, gravityPower: 0.3, gravityDir: new THREE.Vector3(0, -1, 0), dragForce: 0.3};
    const joint = new VRMSpringBoneJoint(chain[i], chain[i + 1], settings, [{colliders: [ball, rod]}]);
    joints.push(joint);
    manager.addJoint(joint);
}
manager.setInitState();
if (process.argv.includes('--hold-lengths'))
    for (const j of joints) {
        const length = j.child.position.length();
        j._calcWorldSpaceBoneLength = () => { j._worldSpaceBoneLength = length; };
    }
for (let f = 1; f <= 300; ++f) {
    const t = f / 60;
    root.position.set(0.3 * Math.sin(3 * t), 0.05 * Math.sin(7 * t), 0.2 * Math.sin(2 * t));
    root.quaternion.setFromAxisAngle(new THREE.Vector3(0, 1, 0), 0.8 * Math.sin(1.7 * t));
    root.updateMatrixWorld(true);
    manager.update(1 / 60);
    root.updateMatrixWorld(true);
    if (f % 60 === 0)
        for (const j of joints) console.log('{' + j._currentTail.toArray().map((v) => v.toFixed(6)).join(', ') + '},');
}
